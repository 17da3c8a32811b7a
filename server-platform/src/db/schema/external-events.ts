/** Tables of external events: the ids that agents gave out, and what came for them. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

const ms = (name: string) => bigint(name, { mode: 'number' });

export const externalWaits = pgTable(
  'external_waits',
  {
    /** The id that the agent gave out, `evt_…` (EE-3). */
    eventId: text('event_id').primaryKey(),
    conversationId: text('conversation_id').notNull(),
    /** The session of a conversation that can be notified at once; null where the agent only answers when asked. */
    sessionId: uuid('session_id'),
    projectId: text('project_id').notNull(),
    /** What the agent calls it. */
    name: text('name').notNull(),
    /** Whether a model may see the payload (EE-6). */
    sendToLlm: boolean('send_to_llm').notNull(),
    createdAt: ms('created_at').notNull(),
    /** From then on the id is not valid (EE-3). */
    expiresAt: ms('expires_at').notNull(),
    /** When the agent is notified of the time-out. */
    dueAt: ms('due_at').notNull(),
    /** Raised every time the agent waits for the id anew: what ends an older wait leaves the newer alone. */
    round: integer('round').notNull().default(1),
    /** Ordinal of the last event the agent knew when it began to wait. */
    toldUntil: ms('told_until').notNull().default(0),
    /** Since when a part of the agent's answer to the event is in the log. */
    begunAt: ms('begun_at'),
    /** The agent was notified, or no longer waits. */
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
    /** In the order in which they were accepted for their id (EE-5). */
    ordinal: ms('ordinal').notNull().generatedAlwaysAsIdentity(),
    createdAt: ms('created_at').notNull(),
    contentType: text('content_type').notNull(),
    data: json('data').notNull(),
  },
  (table) => [primaryKey({ name: 'external_events_pkey', columns: [table.eventId, table.ordinal] })],
);
