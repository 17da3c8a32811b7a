ALTER TABLE "conversations" ADD COLUMN "vector_claimed_by" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "vector_due_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "vector_failures" integer DEFAULT 0 NOT NULL;