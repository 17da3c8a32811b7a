/** Responses to calls with an `Idempotency-Key`, stored so that a call runs once (C-15 of `rest.md`). */
import { bigint, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { apiKeys } from './accounts.ts';

const ms = (name: string) => bigint(name, { mode: 'number' });

export const idempotentAnswers = pgTable(
  'idempotent_answers',
  {
    /** SHA-256 of the call's scope and its `Idempotency-Key`, which is not stored. */
    key: text('key').primaryKey(),
    apiKeyId: uuid('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** SHA-256 of the request's content. */
    fingerprint: text('fingerprint').notNull(),
    /** The attempt that is running or has run the call. */
    attempt: uuid('attempt').notNull(),
    /** Status of the response; null while the call is running. */
    status: integer('status'),
    /** Body of the response as sent; empty: none. */
    body: text('body').notNull().default(''),
    /** The conversation whose text the body may contain; removed together with it. */
    conversationId: text('conversation_id'),
    /** When the row expires. By the database's clock. */
    keptUntil: ms('kept_until').notNull(),
  },
  (table) => [
    index('idempotent_answers_kept_idx').on(table.keptUntil),
    index('idempotent_answers_conversation_idx').on(table.conversationId),
    index('idempotent_answers_api_key_idx').on(table.apiKeyId, table.keptUntil),
  ],
);
