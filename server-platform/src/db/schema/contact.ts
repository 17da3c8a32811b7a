/** Contact requests of visitors for an answer by email. Points in time are `bigint` milliseconds. */
import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';

const ms = (name: string) => bigint(name, { mode: 'number' });

export const contactRequests = pgTable(
  'contact_requests',
  {
    id: uuid('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    projectId: text('project_id').notNull(),
    // No foreign key, because `removeSessions` removes and counts the requests.
    sessionId: uuid('session_id').notNull(),
    /** Null: no agent had joined the session. */
    conversationId: text('conversation_id'),
    /** Empty if the visitor gave none. */
    name: text('name').notNull(),
    /** Has the form of an email address; its ownership is not verified. */
    email: text('email').notNull(),
    text: text('text').notNull(),
    createdAt: ms('created_at').notNull(),
    /** When a person of the desk marked it as done. */
    doneAt: ms('done_at'),
    /** Their name. */
    doneBy: text('done_by'),
  },
  (table) => [
    index('contact_requests_open_idx')
      .on(table.accountId, table.createdAt)
      .where(sql`${table.doneAt} IS NULL`),
    index('contact_requests_done_idx')
      .on(table.accountId, table.doneAt)
      .where(sql`${table.doneAt} IS NOT NULL`),
    index('contact_requests_session_idx').on(table.sessionId),
  ],
);
