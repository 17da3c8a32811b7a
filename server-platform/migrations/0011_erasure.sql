CREATE TABLE "conversation_users" (
	"project_id" text NOT NULL,
	"user_hash" text NOT NULL,
	"conversation_id" text NOT NULL,
	CONSTRAINT "conversation_users_pkey" PRIMARY KEY("project_id","user_hash","conversation_id")
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "erasures_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" uuid NOT NULL,
	"erased_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_audio" (
	"name" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"place" text NOT NULL,
	"created_at" bigint NOT NULL,
	"erased_at" bigint
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "turns_removed_at" bigint;--> statement-breakpoint
CREATE INDEX "conversation_users_conversation_idx" ON "conversation_users" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "erasures_erased_idx" ON "erasures" USING btree ("erased_at");--> statement-breakpoint
CREATE INDEX "stored_audio_project_idx" ON "stored_audio" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "stored_audio_erased_idx" ON "stored_audio" USING btree ("erased_at") WHERE "stored_audio"."erased_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "conversations_turns_idx" ON "conversations" USING btree ("project_id","started_at") WHERE "conversations"."turns_removed_at" IS NULL;--> statement-breakpoint
CREATE INDEX "sessions_connector_ended_idx" ON "sessions" USING btree ("connector_id","ended_at") WHERE "sessions"."ended_at" IS NOT NULL;