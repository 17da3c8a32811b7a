/**
 * Tables of accounts, projects, connectors and keys. drizzle-kit generates `migrations/` from this folder, and the
 * query builder takes row types from it, so each table is defined here only.
 *
 * Points in time are `bigint` milliseconds.
 */
import { sql } from 'drizzle-orm';
import { bigint, boolean, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { RegisteredHost } from 'natter/protocol';

type JsonObject = Readonly<Record<string, unknown>>;

const ms = (name: string) => bigint(name, { mode: 'number' });

export const accounts = pgTable('accounts', {
  /** `ACCOUNT-…` (C-5). */
  id: text('id').primaryKey(),
  slug: text('slug').notNull().unique('accounts_slug_key'),
  name: text('name').notNull(),
  createdAt: ms('created_at').notNull(),
});

export const projects = pgTable(
  'projects',
  {
    /** `PROJECT-…` (C-5). */
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    /** Name of the agent configuration, unless the connector names another. */
    agent: text('agent'),
    /** Project-wide settings: verified context keys, feature switches. */
    settings: jsonb('settings').$type<JsonObject>().notNull().default({}),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [uniqueIndex('projects_account_slug_key').on(table.accountId, table.slug)],
);

export const connectors = pgTable(
  'connectors',
  {
    id: uuid('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 of the token, hexadecimal. The token itself is never stored. */
    tokenHash: text('token_hash').notNull().unique('connectors_token_hash_key'),
    /** Last four characters of the token, to distinguish tokens in a list. */
    tokenHint: text('token_hint').notNull(),
    /** Registered hosts: `[{ kind, value }]` (HOST-1). */
    hosts: jsonb('hosts').$type<readonly RegisteredHost[]>().notNull(),
    settings: jsonb('settings').$type<JsonObject>().notNull().default({}),
    environment: text('environment').notNull(),
    createdAt: ms('created_at').notNull(),
    revokedAt: ms('revoked_at'),
    /** When its token was last used, to the minute. */
    lastUsedAt: ms('last_used_at'),
  },
  (table) => [
    // A revoked connector keeps its row for its sessions, but its name can be reused.
    uniqueIndex('connectors_project_name_key')
      .on(table.projectId, table.name)
      .where(sql`${table.revokedAt} IS NULL`),
  ],
);

/** Keys of the REST interface (rest.md 1.5). */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** Null: every account. */
    accountId: text('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    /** Null: every project of the account. */
    projectId: text('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    /** runtime or monitoring (C-1). */
    service: text('service').$type<'runtime' | 'monitoring'>().notNull(),
    permissions: jsonb('permissions').$type<readonly string[]>().notNull(),
    /** For conversations v1 and v2. */
    isLegacy: boolean('is_legacy').notNull().default(false),
    /** `null` for a key that is valid in every region. */
    region: text('region'),
    /** SHA-256 of the key, hexadecimal. The key itself is never stored. */
    keyHash: text('key_hash').notNull().unique('api_keys_key_hash_key'),
    /** Last four characters of the key, to distinguish keys in a list. */
    keyHint: text('key_hint').notNull(),
    createdAt: ms('created_at').notNull(),
    expiresAt: ms('expires_at'),
    revokedAt: ms('revoked_at'),
    /** When another key replaced it; it works until it expires. */
    replacedAt: ms('replaced_at'),
    /** To the minute. */
    lastUsedAt: ms('last_used_at'),
  },
  (table) => [
    // A revoked or replaced key keeps its row, but its name can be reused.
    uniqueIndex('api_keys_account_name_key')
      .on(sql`coalesce(${table.accountId}, '')`, table.name)
      .where(sql`${table.revokedAt} IS NULL AND ${table.replacedAt} IS NULL`),
  ],
);
