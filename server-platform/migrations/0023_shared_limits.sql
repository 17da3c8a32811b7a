CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"times" bigint[] NOT NULL,
	"granted" integer NOT NULL,
	"kept_until" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "rate_limits_kept_idx" ON "rate_limits" USING btree ("kept_until");