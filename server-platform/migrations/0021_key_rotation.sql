DROP INDEX "api_keys_account_name_key";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "replaced_at" bigint;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_at" bigint;--> statement-breakpoint
ALTER TABLE "connectors" ADD COLUMN "last_used_at" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_account_name_key" ON "api_keys" USING btree (coalesce("account_id", ''),"name") WHERE "api_keys"."revoked_at" IS NULL AND "api_keys"."replaced_at" IS NULL;