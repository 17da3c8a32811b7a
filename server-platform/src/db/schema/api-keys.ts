/** The table of API keys (rest.md 1.5). */
import { sql } from 'drizzle-orm';
import { bigint, boolean, jsonb, type PgTable, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accountKey, projectKey } from './messaging.ts';

const ms = (name: string) => bigint(name, { mode: 'number' });

const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** Null: every account. */
    accountId: text('account_id').references(() => accountKey, { onDelete: 'cascade' }),
    /** Null: every project of the account. */
    projectId: text('project_id').references(() => projectKey, { onDelete: 'cascade' }),
    /** runtime or monitoring (C-1). */
    service: text('service').notNull(),
    permissions: jsonb('permissions').notNull(),
    /** For conversations v1 and v2. */
    isLegacy: boolean('is_legacy').notNull().default(false),
    /** Null: any region. */
    region: text('region'),
    /** SHA-256 of the key, hexadecimal. The key itself is never stored. */
    keyHash: text('key_hash').notNull().unique('api_keys_key_hash_key'),
    /** Last four characters of the key, to tell keys apart in a list. */
    keyHint: text('key_hint').notNull(),
    createdAt: ms('created_at').notNull(),
    expiresAt: ms('expires_at'),
    revokedAt: ms('revoked_at'),
  },
  (table) => [
    // A revoked key keeps its row; its name is free again.
    uniqueIndex('api_keys_account_name_key')
      .on(sql`coalesce(${table.accountId}, '')`, table.name)
      .where(sql`${table.revokedAt} IS NULL`),
  ],
);

export const apiKeysTable: PgTable = apiKeys;
