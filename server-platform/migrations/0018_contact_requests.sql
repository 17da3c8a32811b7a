CREATE TABLE "contact_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"project_id" text NOT NULL,
	"session_id" uuid NOT NULL,
	"conversation_id" text,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"text" text NOT NULL,
	"created_at" bigint NOT NULL,
	"done_at" bigint,
	"done_by" text
);
--> statement-breakpoint
ALTER TABLE "contact_requests" ADD CONSTRAINT "contact_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_requests_open_idx" ON "contact_requests" USING btree ("account_id","created_at") WHERE "contact_requests"."done_at" IS NULL;--> statement-breakpoint
CREATE INDEX "contact_requests_done_idx" ON "contact_requests" USING btree ("account_id","done_at") WHERE "contact_requests"."done_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "contact_requests_session_idx" ON "contact_requests" USING btree ("session_id");