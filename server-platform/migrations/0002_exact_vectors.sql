DROP INDEX "conversation_vectors_changed_idx";--> statement-breakpoint
ALTER TABLE "conversation_vectors" DROP COLUMN "changed_in";