CREATE TABLE "unresolved_alerts" (
	"rule_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"alert" json NOT NULL,
	"closed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "unresolved_alerts_account_idx" ON "unresolved_alerts" USING btree ("account_id","closed_at");