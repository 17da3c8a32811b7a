DROP INDEX "conversations_vector_idx";--> statement-breakpoint
CREATE INDEX "conversations_vector_idx" ON "conversations" USING btree ("started_at") WHERE "conversations"."needs_vector";