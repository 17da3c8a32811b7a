CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "accounts_slug_key" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "connectors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"token_hint" text NOT NULL,
	"hosts" jsonb NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"environment" text NOT NULL,
	"created_at" bigint NOT NULL,
	"revoked_at" bigint,
	CONSTRAINT "connectors_token_hash_key" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"session_id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"payload" json NOT NULL,
	"custom" json,
	"client_event_id" text,
	"created_at" bigint NOT NULL,
	CONSTRAINT "events_pkey" PRIMARY KEY("session_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"agent" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connector_id" uuid NOT NULL,
	"identity" text NOT NULL,
	"created_at" bigint NOT NULL,
	"platform" text NOT NULL,
	"device_type" text,
	"streaming" boolean NOT NULL,
	"vocabulary" text,
	"state" text NOT NULL,
	"conversation_id" text,
	"conversation_status" text DEFAULT 'none' NOT NULL,
	"agent_state" json,
	"handoff" json,
	"language" text,
	"context_id" text NOT NULL,
	"context_vault" json,
	"last_activity" bigint NOT NULL,
	"ended_at" bigint,
	"last_sequence" bigint DEFAULT 0 NOT NULL,
	"last_turn" integer DEFAULT 0 NOT NULL,
	"owner_node" text,
	"owner_epoch" bigint DEFAULT 0 NOT NULL,
	"lease_until" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"input_sequence" bigint NOT NULL,
	"state" text NOT NULL,
	"message_id" text,
	"queued_at" bigint NOT NULL,
	"started_at" bigint,
	"finished_at" bigint,
	"latency_ms" integer,
	"record" json
);
--> statement-breakpoint
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_connector_id_connectors_id_fk" FOREIGN KEY ("connector_id") REFERENCES "public"."connectors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "connectors_project_name_key" ON "connectors" USING btree ("project_id","name") WHERE "connectors"."revoked_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "events_client_event_key" ON "events" USING btree ("session_id","client_event_id") WHERE "events"."client_event_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "projects_account_slug_key" ON "projects" USING btree ("account_id","slug");--> statement-breakpoint
CREATE INDEX "sessions_open_activity_idx" ON "sessions" USING btree ("last_activity") WHERE "sessions"."ended_at" IS NULL;--> statement-breakpoint
CREATE INDEX "sessions_connector_created_idx" ON "sessions" USING btree ("connector_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_conversation_key" ON "sessions" USING btree ("conversation_id") WHERE "sessions"."conversation_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "turns_session_ordinal_key" ON "turns" USING btree ("session_id","ordinal");--> statement-breakpoint
CREATE INDEX "turns_unfinished_idx" ON "turns" USING btree ("session_id","ordinal") WHERE "turns"."finished_at" IS NULL;