/**
 * Tables of the conversation record (`rest.md`, section 4): every channel's conversations, written as they happen.
 *
 * Points in time are `bigint` milliseconds. Values from the agent logic or a client are `json`, not `jsonb`, which
 * rejects U+0000.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';

/** In kB. */
const PENDING_WORDS = { gin_pending_list_limit: 256 };

const ms = (name: string) => bigint(name, { mode: 'number' });
const words = customType<{ data: string }>({ dataType: () => 'tsvector' });
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

export const conversations = pgTable(
  'conversations',
  {
    /** The conversation's id in every route group (CH-2). */
    id: text('id').primaryKey(),
    projectId: text('project_id').notNull(),
    /** Null for channels without a connector. */
    connectorId: uuid('connector_id'),
    variantId: text('variant_id').notNull(),
    variantName: text('variant_name').notNull(),
    environment: text('environment').notNull(),
    /** Upper case, such as `WEBCHAT`. */
    channel: text('channel').notNull(),
    language: text('language').notNull(),
    /** Empty for text channels (CV-10), as is `to_number`. */
    fromNumber: text('from_number').notNull(),
    toNumber: text('to_number').notNull(),
    /** The integrator's id (HS-2). */
    sharedId: text('shared_id'),
    startedAt: ms('started_at').notNull(),
    /** Null while in progress. */
    endedAt: ms('ended_at'),
    /** user, agent, handoff, closed, timed_out, failed. */
    endReason: text('end_reason'),
    /** When the agent handed it off; null: never. */
    handoffAt: ms('handoff_at'),
    handoffReason: text('handoff_reason'),
    handoffDestination: text('handoff_destination'),
    /** Data that the agent logic put into the handoff state (HS-3). */
    handoffData: json('handoff_data').$type<Readonly<Record<string, unknown>>>(),
    /** When the agent's part ended before the conversation did. */
    agentLeftAt: ms('agent_left_at'),
    /** When a person first joined; null: never. */
    personAt: ms('person_at'),
    numTurns: integer('num_turns').notNull(),
    numSilences: integer('num_silences').notNull(),
    numOod: integer('num_ood').notNull(),
    /** The visitor's survey score, 1 to 5; null: none. The last turn has it too, with the comment. */
    score: integer('score'),
    /** When the visitor answered. */
    scoredAt: ms('scored_at'),
    /** The text has changed since the vector of the semantic search was computed. */
    needsVector: boolean('needs_vector').notNull(),
    /** The node that computes the vector. */
    vectorClaimedBy: text('vector_claimed_by'),
    /** No node computes the vector before this time, because another one does or it failed. By the database's clock. */
    vectorDueAt: ms('vector_due_at').notNull().default(0),
    /** Consecutive failures. */
    vectorFailures: integer('vector_failures').notNull().default(0),
    /** When retention removed its turns; null: they still exist. */
    turnsRemovedAt: ms('turns_removed_at'),
  },
  (table) => [
    // Order of lists (CV-4), their cursor, and the sweep of section 5.
    index('conversations_list_idx').on(table.projectId, table.environment, table.startedAt, table.id),
    // Counting open conversations reads start and end from this index instead of the much larger rows.
    index('conversations_span_idx').on(table.projectId, table.environment, table.startedAt, table.endedAt),
    index('conversations_open_idx')
      .on(table.projectId, table.environment, table.startedAt)
      .where(sql`${table.endedAt} IS NULL`),
    // Conversations longer than a day. All others overlap a range only if they started in it or on the day before.
    index('conversations_long_idx')
      .on(table.projectId, table.environment, table.endedAt)
      .where(sql`${table.endedAt} - ${table.startedAt} > 86400000`),
    // Outcomes of handed-off conversations.
    index('conversations_handoff_idx')
      .on(table.projectId, table.environment, table.startedAt, table.endedAt, table.personAt, table.endReason)
      .where(sql`${table.handoffAt} IS NOT NULL`),
    // Survey scores. Averages over a range are read from this index instead of the much larger rows.
    index('conversations_scored_idx')
      .on(table.projectId, table.environment, table.scoredAt, table.score, table.id)
      .where(sql`${table.scoredAt} IS NOT NULL`),
    index('conversations_shared_idx').on(table.sharedId).where(sql`${table.sharedId} IS NOT NULL`),
    index('conversations_vector_idx').on(table.startedAt).where(sql`${table.needsVector}`),
    // Used by retention to find a project's oldest conversations that still have turns.
    index('conversations_turns_idx')
      .on(table.projectId, table.startedAt)
      .where(sql`${table.turnsRemovedAt} IS NULL`),
  ],
);

/** Insert-only, except for translations. */
export const conversationTurns = pgTable(
  'conversation_turns',
  {
    // No foreign key: the insert takes the number from the conversation's row, so that row exists.
    conversationId: text('conversation_id').notNull(),
    /** From 1, in the order in which the turns ended. */
    ordinal: integer('ordinal').notNull(),
    /** greeting, message, event. */
    kind: text('kind').notNull(),
    userInput: text('user_input').notNull(),
    userInputDtmf: text('user_input_dtmf').notNull(),
    userInputAt: ms('user_input_at'),
    bargeIn: boolean('barge_in').notNull(),
    agentResponse: text('agent_response').notNull(),
    agentResponseAt: ms('agent_response_at'),
    intents: json('intents').notNull(),
    entities: json('entities').notNull(),
    isOod: boolean('is_ood').notNull(),
    isSilence: boolean('is_silence').notNull(),
    translatedUserInput: text('translated_user_input').notNull(),
    englishAgentResponse: text('english_agent_response').notNull(),
    /** From accepting the input to the first part of the answer; null when there was no answer. */
    latencyMs: integer('latency_ms'),
    /** Values by name, as the agent wrote them in this turn. */
    metrics: json('metrics').notNull(),
    /** The variables after this turn; null: unchanged. */
    contextState: json('context_state'),
    /** Metadata that the channel stored with the turn. */
    metadata: json('metadata').notNull(),
    /** Why the answer is missing or incomplete; null: it is complete. */
    failure: text('failure'),
    /** Failed calls from the agent to its backend (9.1). */
    apiErrors: integer('api_errors').notNull().default(0),
    /** Failed functions of the agent (9.1). */
    functionErrors: integer('function_errors').notNull().default(0),
    recordedAt: ms('recorded_at').notNull(),
    /** When the turn is due for translation; null: not needed, or done. */
    translationDueAt: ms('translation_due_at'),
    /** Indexed words of both sides, see `searchWords`. */
    userWords: words('user_words').notNull(),
    agentWords: words('agent_words').notNull(),
  },
  (table) => [
    primaryKey({ name: 'conversation_turns_pkey', columns: [table.conversationId, table.ordinal] }),
    index('conversation_turns_recorded_idx').on(table.recordedAt),
    index('conversation_turns_translation_idx')
      .on(table.translationDueAt)
      .where(sql`${table.translationDueAt} IS NOT NULL`),
    // The append that fills an index's pending list processes it while everything else waits: 400 to 600 ms at the
    // default limit of 4 MB, 40 to 80 ms at this one, for a few per cent more work.
    index('conversation_turns_user_words_idx').using('gin', table.userWords).with(PENDING_WORDS),
    index('conversation_turns_agent_words_idx').using('gin', table.agentWords).with(PENDING_WORDS),
  ],
);

/** Vectors of the semantic search. With pgvector, the table has the further column `embedding`. */
export const conversationVectors = pgTable('conversation_vectors', {
  conversationId: text('conversation_id').primaryKey(),
  /** The embedder that computed it; vectors of different embedders cannot be compared. */
  embedder: text('embedder').notNull(),
  /** Little-endian float32, normalised to length 1; null if the column `embedding` has it. */
  vector: bytes('vector'),
});
