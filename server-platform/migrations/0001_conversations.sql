CREATE TABLE "conversation_turns" (
	"conversation_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"kind" text NOT NULL,
	"user_input" text NOT NULL,
	"user_input_dtmf" text NOT NULL,
	"user_input_at" bigint,
	"barge_in" boolean NOT NULL,
	"agent_response" text NOT NULL,
	"agent_response_at" bigint,
	"intents" json NOT NULL,
	"entities" json NOT NULL,
	"is_ood" boolean NOT NULL,
	"is_silence" boolean NOT NULL,
	"translated_user_input" text NOT NULL,
	"english_agent_response" text NOT NULL,
	"latency_ms" integer,
	"metrics" json NOT NULL,
	"context_state" json,
	"metadata" json NOT NULL,
	"failure" text,
	"recorded_at" bigint NOT NULL,
	"user_words" "tsvector" NOT NULL,
	"agent_words" "tsvector" NOT NULL,
	CONSTRAINT "conversation_turns_pkey" PRIMARY KEY("conversation_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "conversation_vectors" (
	"conversation_id" text PRIMARY KEY NOT NULL,
	"embedder" text NOT NULL,
	"vector" "bytea"
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"connector_id" uuid,
	"variant_id" text NOT NULL,
	"variant_name" text NOT NULL,
	"environment" text NOT NULL,
	"channel" text NOT NULL,
	"language" text NOT NULL,
	"from_number" text NOT NULL,
	"to_number" text NOT NULL,
	"shared_id" text,
	"started_at" bigint NOT NULL,
	"ended_at" bigint,
	"end_reason" text,
	"handoff_at" bigint,
	"handoff_reason" text,
	"handoff_destination" text,
	"handoff_data" json,
	"agent_left_at" bigint,
	"num_turns" integer NOT NULL,
	"num_silences" integer NOT NULL,
	"num_ood" integer NOT NULL,
	"needs_vector" boolean NOT NULL
);
--> statement-breakpoint
CREATE INDEX "conversation_turns_recorded_idx" ON "conversation_turns" USING btree ("recorded_at");--> statement-breakpoint
CREATE INDEX "conversation_turns_user_words_idx" ON "conversation_turns" USING gin ("user_words");--> statement-breakpoint
CREATE INDEX "conversation_turns_agent_words_idx" ON "conversation_turns" USING gin ("agent_words");--> statement-breakpoint
CREATE INDEX "conversations_list_idx" ON "conversations" USING btree ("project_id","environment","started_at","id");--> statement-breakpoint
CREATE INDEX "conversations_open_idx" ON "conversations" USING btree ("project_id","environment","started_at") WHERE "conversations"."ended_at" IS NULL;--> statement-breakpoint
CREATE INDEX "conversations_long_idx" ON "conversations" USING btree ("project_id","environment","ended_at") WHERE "conversations"."ended_at" - "conversations"."started_at" > 86400000;--> statement-breakpoint
CREATE INDEX "conversations_shared_idx" ON "conversations" USING btree ("shared_id") WHERE "conversations"."shared_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "conversations_vector_idx" ON "conversations" USING btree ("project_id") WHERE "conversations"."needs_vector";