/**
 * Tables of messaging. The log's statements on them are performance-critical and written by hand.
 *
 * Points in time are `bigint` milliseconds. Payloads are `json`, not `jsonb`: a client may send U+0000 or a lone
 * surrogate in a message, which `jsonb` rejects and the log must store unchanged.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { connectors } from './accounts.ts';

const ms = (name: string) => bigint(name, { mode: 'number' });

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    connectorId: uuid('connector_id')
      .notNull()
      .references(() => connectors.id, { onDelete: 'cascade' }),
    /** The identity (`sub`) of the access token that created it (TOK-3). */
    identity: text('identity').notNull(),
    createdAt: ms('created_at').notNull(),
    platform: text('platform').notNull(),
    deviceType: text('device_type'),
    streaming: boolean('streaming').notNull(),
    /** Remembered vocabulary (V-5 c). */
    vocabulary: text('vocabulary'),
    /** created, active, handoff, live, ended, expired (section 11). */
    state: text('state').notNull(),
    /** `CONV-…`, set by the first join. */
    conversationId: text('conversation_id'),
    /** none, running, lost (SYS-2). */
    conversationStatus: text('conversation_status').notNull().default('none'),
    agentState: json('agent_state'),
    /** State of the handoff provider, to continue after a restart. */
    handoff: json('handoff'),
    language: text('language'),
    /** The session's variant, fixed at creation (SES-3); empty: none. */
    variantId: text('variant_id').notNull().default(''),
    contextId: text('context_id').notNull(),
    /** The verified context last submitted (VCI-8). */
    contextVault: json('context_vault'),
    lastActivity: ms('last_activity').notNull(),
    endedAt: ms('ended_at'),
    /** `traceparent` of the request that created it. */
    traceParent: text('trace_parent'),
    lastSequence: ms('last_sequence').notNull().default(0),
    lastTurn: integer('last_turn').notNull().default(0),
    /** The owner, as long as `node_leases` has its lease of this epoch unexpired. */
    ownerNode: text('owner_node'),
    ownerNodeEpoch: ms('owner_node_epoch'),
    /** Incremented by every claim. An append under an earlier epoch writes nothing. */
    ownerEpoch: ms('owner_epoch').notNull().default(0),
  },
  (table) => [
    index('sessions_open_activity_idx').on(table.lastActivity).where(sql`${table.endedAt} IS NULL`),
    index('sessions_connector_created_idx').on(table.connectorId, table.createdAt),
    // Used by retention to find the oldest ended sessions.
    index('sessions_connector_ended_idx')
      .on(table.connectorId, table.endedAt)
      .where(sql`${table.endedAt} IS NOT NULL`),
    uniqueIndex('sessions_conversation_key')
      .on(table.conversationId)
      .where(sql`${table.conversationId} IS NOT NULL`),
  ],
);

/** One row per running node: renewing it keeps all of the node's sessions. */
export const nodeLeases = pgTable('node_leases', {
  node: text('node').primaryKey(),
  /** Different for every lease of the database. */
  epoch: ms('epoch').notNull().generatedByDefaultAsIdentity(),
  /** By the database's clock, so that nodes need not agree on the time. */
  expiresAt: ms('expires_at').notNull(),
});

/** Sessions taken from a node with a valid lease; the node deletes the rows after reading them. */
export const lostSessions = pgTable(
  'lost_sessions',
  {
    node: text('node').notNull(),
    sessionId: uuid('session_id').notNull(),
    /** The session's epoch under its new owner. */
    epoch: ms('epoch').notNull(),
  },
  (table) => [
    primaryKey({ name: 'lost_sessions_pkey', columns: [table.node, table.sessionId, table.epoch] }),
  ],
);

/**
 * The source of truth. Insert-only: events are never changed, and only deleted with their session.
 *
 * Partitioned by ranges of session ids, see `event-partitions.ts`: one partition per day for sessions whose project
 * removes events by day, and `events_default` for all others.
 */
export const events = pgTable(
  'events',
  {
    // No foreign key: the append locks the session's row anyway, and a check per row would halve its speed.
    // `deleteSession` removes the events.
    sessionId: uuid('session_id').notNull(),
    sequence: ms('sequence').notNull(),
    id: uuid('id').notNull(),
    /** Neutral name (V-7). */
    type: text('type').notNull(),
    payload: json('payload').notNull(),
    custom: json('custom'),
    /** Key of the client's draft id (MET-4), see `clientEventKey`. */
    clientEventId: text('client_event_id'),
    /** Size of payload and custom map as text. */
    bytes: integer('bytes').notNull(),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'events_pkey', columns: [table.sessionId, table.sequence] }),
    uniqueIndex('events_client_event_key')
      .on(table.sessionId, table.clientEventId)
      .where(sql`${table.clientEventId} IS NOT NULL`),
  ],
);

/** Open turns: the commit that ends a turn deletes its row. Its outcome is in `conversation_turns`. */
export const turns = pgTable(
  'turns',
  {
    id: uuid('id').primaryKey(),
    // No foreign key, as with the events.
    sessionId: uuid('session_id').notNull(),
    /** From 1, in order of acceptance (8.2). */
    ordinal: integer('ordinal').notNull(),
    /** The event that caused the turn. */
    inputSequence: ms('input_sequence').notNull(),
    /** `message_id` of the answer, from its first stored part on. */
    messageId: text('message_id'),
    queuedAt: ms('queued_at').notNull(),
    /** When that part was stored. */
    startedAt: ms('started_at'),
  },
  (table) => [index('turns_session_idx').on(table.sessionId)],
);
