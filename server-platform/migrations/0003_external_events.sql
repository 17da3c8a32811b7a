CREATE TABLE "external_events" (
	"event_id" text NOT NULL,
	"ordinal" bigint GENERATED ALWAYS AS IDENTITY (sequence name "external_events_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" bigint NOT NULL,
	"content_type" text NOT NULL,
	"data" json NOT NULL,
	CONSTRAINT "external_events_pkey" PRIMARY KEY("event_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "external_waits" (
	"event_id" text PRIMARY KEY NOT NULL,
	"conversation_id" text NOT NULL,
	"session_id" uuid,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"send_to_llm" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"told_until" bigint DEFAULT 0 NOT NULL,
	"begun_at" bigint,
	"settled_at" bigint
);
--> statement-breakpoint
ALTER TABLE "external_events" ADD CONSTRAINT "external_events_event_id_external_waits_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."external_waits"("event_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "external_waits_conversation_idx" ON "external_waits" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "external_waits_open_idx" ON "external_waits" USING btree ("session_id") WHERE "external_waits"."settled_at" IS NULL;