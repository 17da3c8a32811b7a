/** Tables of external events: ids issued by agents, and the events received for them. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

const ms = (name: string) => bigint(name, { mode: 'number' });

export const externalWaits = pgTable(
  'external_waits',
  {
    /** The id issued by the agent, `evt_…` (EE-3). */
    eventId: text('event_id').primaryKey(),
    conversationId: text('conversation_id').notNull(),
    /** The session, if its conversation can be notified at once; null if the agent only answers when called. */
    sessionId: uuid('session_id'),
    projectId: text('project_id').notNull(),
    /** The agent's name for the wait. */
    name: text('name').notNull(),
    /** Whether a model may see the payload (EE-6). */
    sendToLlm: boolean('send_to_llm').notNull(),
    createdAt: ms('created_at').notNull(),
    /** When the id expires (EE-3). */
    expiresAt: ms('expires_at').notNull(),
    /** When the agent is notified of the timeout. */
    dueAt: ms('due_at').notNull(),
    /**
     * Incremented when the agent waits for the id again, so that the end of an older wait does not affect a newer one.
     */
    round: integer('round').notNull().default(1),
    /** Ordinal of the last event that the agent knew when the wait began. */
    deliveredUpTo: ms('told_until').notNull().default(0),
    /** When part of the agent's answer to the event was first stored. */
    begunAt: ms('begun_at'),
    /** When the agent was notified or stopped waiting. */
    settledAt: ms('settled_at'),
  },
  (table) => [
    index('external_waits_conversation_idx').on(table.conversationId),
    index('external_waits_open_idx').on(table.sessionId).where(sql`${table.settledAt} IS NULL`),
  ],
);

/** Insert-only. */
export const externalEvents = pgTable(
  'external_events',
  {
    eventId: text('event_id')
      .notNull()
      .references(() => externalWaits.eventId, { onDelete: 'cascade' }),
    /** In the order of acceptance for the id (EE-5). */
    ordinal: ms('ordinal').notNull().generatedAlwaysAsIdentity(),
    createdAt: ms('created_at').notNull(),
    contentType: text('content_type').notNull(),
    data: json('data').notNull(),
  },
  (table) => [primaryKey({ name: 'external_events_pkey', columns: [table.eventId, table.ordinal] })],
);
