-- Events of sessions whose id begins with a day go to the partition of that day, which retention empties as a whole. All
-- others stay in the table that there is. Nothing is read through here: the constraint is checked before the first day is
-- added, while the log is written to.
ALTER TABLE "events" RENAME TO "events_default";--> statement-breakpoint
ALTER INDEX "events_pkey" RENAME TO "events_default_pkey";--> statement-breakpoint
ALTER INDEX "events_client_event_key" RENAME TO "events_default_client_event_key";--> statement-breakpoint
ALTER TABLE "events_default" ADD CONSTRAINT "events_default_no_day_check" CHECK ("session_id" >= '00000001-0000-0000-0000-000000000000') NOT VALID;--> statement-breakpoint
CREATE TABLE "events" (LIKE "events_default") PARTITION BY RANGE ("session_id");--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_pkey" PRIMARY KEY ("session_id","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "events_client_event_key" ON "events" USING btree ("session_id","client_event_id") WHERE "events"."client_event_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ATTACH PARTITION "events_default" DEFAULT;
