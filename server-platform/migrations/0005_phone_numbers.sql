CREATE TABLE "phone_numbers" (
	"number" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"reserved_until" bigint,
	"attributes" json,
	"last_used_at" bigint
);
--> statement-breakpoint
CREATE INDEX "phone_numbers_project_idx" ON "phone_numbers" USING btree ("project_id","last_used_at");