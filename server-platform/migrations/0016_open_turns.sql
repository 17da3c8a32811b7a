-- The table holds open turns only: the record of the conversation has those that are over.
DELETE FROM "turns" WHERE "finished_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" DROP CONSTRAINT "turns_session_id_sessions_id_fk";
--> statement-breakpoint
DROP INDEX "turns_session_ordinal_key";--> statement-breakpoint
DROP INDEX "turns_unfinished_idx";--> statement-breakpoint
CREATE INDEX "turns_session_idx" ON "turns" USING btree ("session_id");--> statement-breakpoint
ALTER TABLE "turns" DROP COLUMN "state";--> statement-breakpoint
ALTER TABLE "turns" DROP COLUMN "finished_at";--> statement-breakpoint
ALTER TABLE "turns" DROP COLUMN "latency_ms";--> statement-breakpoint
ALTER TABLE "turns" DROP COLUMN "record";