/** What visitors leave for an answer by e-mail. Points in time are `bigint` milliseconds. */
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
    // No foreign key: `removeSessions` removes the requests, and counts them.
    sessionId: uuid('session_id').notNull(),
    /** Null: no agent had joined the session yet. */
    conversationId: text('conversation_id'),
    /** Empty if the visitor gave none. */
    name: text('name').notNull(),
    /** Has the form of an e-mail address; that it belongs to the visitor is not checked. */
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
