import { type Backlog, readBacklog, type Sql } from '../../db/index.ts';
import { INDEXED_CHARACTERS } from '../../realtime/event-log/index.ts';

/** A conversation whose vector this node computes. */
export interface PendingVector {
  readonly id: string;
  /** Number of turns in the vector. */
  readonly turns: number;
  readonly user: string;
  readonly agent: string;
}

// By the database's clock, so that nodes need not agree on the time.
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
// Longer than an endpoint takes for all requests of a batch; after this time the claiming node must be gone.
const CLAIM_MS = 300_000;
// Long texts take milliseconds each, and reading a thousand turns costs the database fifty; their first words determine
// the topic. Limits turns per conversation, and characters per speaker, so that a batch returns at most 3 MB.
const MAX_TURNS = 200;
const MAX_SPOKEN_CHARACTERS = 16_384;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 86_400_000;

const firstWords = (column: string, condition: string): string =>
  `left(string_agg(left(${column}, ${INDEXED_CHARACTERS}), E'\\n' ORDER BY ordinal) ${condition}, ${MAX_SPOKEN_CHARACTERS})`;

type PendingRow = {
  readonly id: string;
  readonly num_turns: number;
  readonly user_text: string | null;
  readonly agent_text: string | null;
};

/** Claims up to `limit` conversations that need a vector, newest first. No other node computes these meanwhile. */
export async function claimPendingVectors(
  sql: Sql,
  node: string,
  limit: number,
): Promise<readonly PendingVector[]> {
  const rows = await sql.query<PendingRow>(
    `WITH due AS MATERIALIZED (
       SELECT id FROM conversations
        WHERE needs_vector AND vector_due_at <= ${NOW}
        ORDER BY started_at DESC LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE conversations c SET vector_claimed_by = $1, vector_due_at = ${NOW} + ${CLAIM_MS}
         FROM due WHERE c.id = due.id
       RETURNING c.id, c.num_turns
     )
     SELECT claimed.id, claimed.num_turns, spoken.user_text, spoken.agent_text
       FROM claimed
      CROSS JOIN LATERAL (
        SELECT ${firstWords('user_input', '')} AS user_text,
               ${firstWords('agent_response', "FILTER (WHERE kind <> 'greeting')")} AS agent_text
          FROM (SELECT ordinal, kind, user_input, agent_response FROM conversation_turns
                 WHERE conversation_id = claimed.id ORDER BY ordinal LIMIT ${MAX_TURNS}) AS turn
      ) AS spoken`,
    [node, limit],
  );
  return rows.map(({ id, num_turns: turns, user_text, agent_text }) => ({
    id,
    turns,
    user: user_text ?? '',
    agent: agent_text ?? '',
  }));
}

/**
 * Returns the conversations that still exist. They cannot be deleted before the transaction of `sql` ends, so that no
 * vector is stored for an erased conversation.
 */
export async function lockExisting(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ id: string }>(
    'SELECT id FROM conversations WHERE id = ANY($1::text[]) ORDER BY id FOR KEY SHARE',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Ends the claims of stored vectors. A conversation with new turns needs a new vector. */
export async function settlePendingVectors(
  sql: Sql,
  node: string,
  made: readonly PendingVector[],
): Promise<void> {
  await sql.query(
    `WITH locked AS MATERIALIZED (
       -- In this order everywhere, so that no two writers wait for each other in a circle.
       SELECT id FROM conversations WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE conversations c
        SET needs_vector = c.num_turns <> t.turns, vector_claimed_by = NULL, vector_due_at = 0, vector_failures = 0
       FROM locked
       JOIN unnest($1::text[], $2::int[]) AS t (id, turns) ON t.id = locked.id
      WHERE c.id = locked.id AND c.vector_claimed_by = $3`,
    [made.map(({ id }) => id), made.map(({ turns }) => turns), node],
  );
}

/** Postpones a conversation whose vector cannot be computed: a minute, then twice as long each time, at most a day. */
export async function postponeVector(sql: Sql, node: string, id: string): Promise<void> {
  await sql.query(
    `UPDATE conversations
        SET vector_claimed_by = NULL, vector_failures = vector_failures + 1,
            vector_due_at = ${NOW} + least(${FIRST_REST_MS} * power(2, least(vector_failures, 20)), ${LONGEST_REST_MS})::bigint
      WHERE id = $1 AND vector_claimed_by = $2`,
    [id, node],
  );
}

/** Releases claims: of these conversations, or all of the node's. */
export async function releasePendingVectors(
  sql: Sql,
  node: string,
  ids: readonly string[] | null,
): Promise<void> {
  await sql.query(
    `WITH locked AS MATERIALIZED (
       SELECT id FROM conversations
        WHERE needs_vector AND vector_claimed_by = $1 AND ($2::text[] IS NULL OR id = ANY($2::text[]))
        ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE conversations c SET vector_claimed_by = NULL, vector_due_at = 0
       FROM locked
      WHERE c.id = locked.id`,
    [node, ids],
  );
}

/** Whether another node is computing vectors. */
export async function areVectorsClaimed(sql: Sql, node: string): Promise<boolean> {
  const [row] = await sql.query<{ is_claimed: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM conversations
                     WHERE needs_vector AND vector_claimed_by <> $1 AND vector_due_at > ${NOW}) AS is_claimed`,
    [node],
  );
  return row?.is_claimed === true;
}

/** The conversations of an account that a search by meaning does not find yet. */
export async function readVectorBacklog(sql: Sql, accountId: string): Promise<Backlog> {
  const waiting = `SELECT c.started_at AS at FROM conversations c JOIN projects p ON p.id = c.project_id
     WHERE p.account_id = $1 AND c.needs_vector`;
  return await readBacklog(sql, waiting, [accountId]);
}
