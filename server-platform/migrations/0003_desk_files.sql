CREATE TABLE "desk_files" (
	"id" text PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"message_key" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "desk_files_message_key" UNIQUE("message_key")
);
--> statement-breakpoint
CREATE INDEX "desk_files_session_idx" ON "desk_files" USING btree ("session_id");