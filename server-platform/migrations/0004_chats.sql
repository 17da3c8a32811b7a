CREATE TABLE "chats" (
	"conversation_id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"connector_id" uuid NOT NULL,
	"status" text NOT NULL,
	"agent" text NOT NULL,
	"variant_id" text NOT NULL,
	"language" text NOT NULL,
	"integration_attributes" json,
	"agent_state" json NOT NULL,
	"last_activity" bigint NOT NULL,
	"holder" text,
	"held_until" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "chats_open_activity_idx" ON "chats" USING btree ("last_activity") WHERE "chats"."status" = 'open';