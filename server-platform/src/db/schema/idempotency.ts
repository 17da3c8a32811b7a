/** Answers of calls with an `Idempotency-Key`, kept so that the call is carried out once (C-15 of `rest.md`). */
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
    /** SHA-256 of what the call asks for. */
    fingerprint: text('fingerprint').notNull(),
    /** The attempt that carries the call out, or did. */
    attempt: uuid('attempt').notNull(),
    /** The answer's status; null while the call is carried out. */
    status: integer('status'),
    /** The answer's body as it was sent; empty: none. */
    body: text('body').notNull().default(''),
    /** The conversation that the body may hold words of: it is removed with it. */
    conversationId: text('conversation_id'),
    /** From then on the row says nothing any more. By the database's clock. */
    keptUntil: ms('kept_until').notNull(),
  },
  (table) => [
    index('idempotent_answers_kept_idx').on(table.keptUntil),
    index('idempotent_answers_conversation_idx').on(table.conversationId),
    index('idempotent_answers_api_key_idx').on(table.apiKeyId, table.keptUntil),
  ],
);
