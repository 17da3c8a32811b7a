-- For tests of upgrades: what a release after this one may do to the tables while nodes of this one go on. It adds and fills, and
-- changes nothing that this release reads or writes. The tables are in the order in which an append locks them, or the migration
-- and an append could wait for each other.
ALTER TABLE "events" ADD COLUMN "weather" json;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "tide" text DEFAULT 'high' NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "knots" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "sessions_tide_idx" ON "sessions" USING btree ("tide");--> statement-breakpoint
CREATE TABLE "moorings" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"berth" text NOT NULL
);
--> statement-breakpoint
INSERT INTO "moorings" SELECT "id", 'berth of ' || "platform" FROM "sessions";
