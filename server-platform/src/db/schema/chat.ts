/** The table of conversations over REST (`rest.md`, section 3), beside their record. */
import { sql } from 'drizzle-orm';
import { bigint, index, json, pgTable, text, uuid } from 'drizzle-orm/pg-core';

type JsonObject = Readonly<Record<string, unknown>>;

const ms = (name: string) => bigint(name, { mode: 'number' });

export const chats = pgTable(
  'chats',
  {
    /** `CONV-…`, the same as in the record (CH-2). */
    conversationId: text('conversation_id').primaryKey(),
    projectId: text('project_id').notNull(),
    connectorId: uuid('connector_id').notNull(),
    /** open, ended, timed_out (3.4). */
    status: text('status').$type<'open' | 'ended' | 'timed_out'>().notNull(),
    /** Name of the agent configuration that answers the whole conversation. */
    agent: text('agent').notNull(),
    /** Empty: none. */
    variantId: text('variant_id').notNull(),
    language: text('language').notNull(),
    integrationAttributes: json('integration_attributes').$type<JsonObject>(),
    agentState: json('agent_state').$type<JsonObject>().notNull(),
    /** Start or end of the last create or respond call. */
    lastActivity: ms('last_activity').notNull(),
    /** The node that is answering a call, and until when it counts as alive. */
    holder: text('holder'),
    /** By the database's clock, so that nodes need not agree on the time. */
    heldUntil: ms('held_until').notNull().default(0),
  },
  (table) => [index('chats_open_activity_idx').on(table.lastActivity).where(sql`${table.status} = 'open'`)],
);
