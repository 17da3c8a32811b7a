import { and, eq, isNull } from 'drizzle-orm';
import { queryBuilder, type Sql, sessions, storableText } from '../../db/index.ts';
import type { NewEvent } from './stored-event.ts';
import { readSessionRow, SESSION_COLUMNS, type SessionRow, type StoredSession } from './stored-session.ts';

/** Initial values of a session. */
export type NewSession = {
  /** UUID. */
  readonly id: string;
  readonly connectorId: string;
  /** `sub` of the access token. */
  readonly identity: string;
  readonly platform: string;
  readonly deviceType: string | null;
  readonly streaming: boolean;
  readonly language: string | null;
  /** Default: no variant. */
  readonly variantId?: string;
  /** At least 128 bits of randomness (VCI-1). */
  readonly contextId: string;
  readonly createdAtMs: number;
  /** Default: the request that creates it is not traced. */
  readonly traceParent?: string | null;
  /** SESSION_START, stored as sequence 1 (SES-2). */
  readonly start: NewEvent;
};

/** Stores a session and its SESSION_START in one commit. It has no owner yet: see `claimSession`. */
export async function createSession(sql: Sql, session: NewSession): Promise<void> {
  await createSessions(sql, [session]);
}

/** Stores sessions, each with its SESSION_START, in one commit. Resolves with their ids. For batches: see `BatchLoader`. */
export async function createSessions(sql: Sql, sessions: readonly NewSession[]): Promise<readonly string[]> {
  const column = <Value>(read: (session: NewSession) => Value): readonly Value[] => sessions.map(read);
  await sql.query(
    `WITH row AS MATERIALIZED (
       SELECT *
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::text[], $8::text[],
                     $9::bigint[], $10::uuid[], $11::text[], $12::text[], $13::text[], $14::bigint[], $15::text[], $16::text[])
           AS t (id, connector_id, identity, platform, device_type, streaming, language, context_id,
                 created_at, start_id, start_type, payload, custom, start_at, trace_parent, variant_id)
     ), started AS (
       INSERT INTO events (session_id, sequence, id, type, payload, custom, bytes, created_at)
       SELECT id, 1, start_id, start_type, payload::json, custom::json,
              octet_length(payload) + coalesce(octet_length(custom), 0), start_at
         FROM row
     )
     INSERT INTO sessions (id, connector_id, identity, platform, device_type, streaming, language, context_id,
                           created_at, last_activity, state, last_sequence, trace_parent, variant_id)
     SELECT id, connector_id, identity, platform, device_type, streaming, language, context_id,
            created_at, created_at, 'created', 1, trace_parent, variant_id
       FROM row`,
    [
      column(({ id }) => id),
      column(({ connectorId }) => connectorId),
      column(({ identity }) => identity),
      column(({ platform }) => platform),
      column(({ deviceType }) => deviceType),
      column(({ streaming }) => streaming),
      column(({ language }) => language),
      column(({ contextId }) => contextId),
      column(({ createdAtMs }) => createdAtMs),
      column(({ start }) => start.id),
      column(({ start }) => start.type),
      column(({ start }) => JSON.stringify(start.payload)),
      column(({ start }) => (start.custom === null ? null : JSON.stringify(start.custom))),
      column(({ start }) => start.timestampMs),
      column(({ traceParent }) => traceParent ?? null),
      column(({ variantId }) => variantId ?? ''),
    ],
    { prepare: true },
  );
  return column(({ id }) => id);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the session; null when it does not exist or the id is not a UUID. */
export async function loadSession(sql: Sql, id: string): Promise<StoredSession | null> {
  if (!UUID.test(id)) return null;
  const [row] = await sql.query<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = $1`, [id]);
  return row === undefined ? null : readSessionRow(row);
}

/** The session that a conversation was held in; null: chats in turns and calls have none. */
export async function findSessionOf(sql: Sql, conversationId: string): Promise<StoredSession | null> {
  const [row] = await sql.query<SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions WHERE conversation_id = $1`,
    [storableText(conversationId)],
  );
  return row === undefined ? null : readSessionRow(row);
}

/** Counts the sessions of a connector that have not ended. */
export async function countOpenSessions(sql: Sql, connectorId: string): Promise<number> {
  return await queryBuilder(sql).$count(
    sessions,
    and(eq(sessions.connectorId, connectorId), isNull(sessions.endedAt)),
  );
}

/** The fields of a session that a handshake needs. */
export type SessionToJoin = {
  readonly session: StoredSession;
  /** Whether a message awaits its answer, or an answer is incomplete. */
  readonly hasOpenTurns: boolean;
};

/** Returns the sessions with these ids, in order, null for missing ones. For batches: see `BatchLoader`. */
export async function loadSessionsToJoin(
  sql: Sql,
  ids: readonly string[],
): Promise<readonly (SessionToJoin | null)[]> {
  const rows = await sql.query<SessionRow & { readonly has_open_turns: boolean }>(
    `SELECT ${SESSION_COLUMNS}, EXISTS (
         SELECT 1 FROM turns WHERE turns.session_id = sessions.id
       ) AS has_open_turns
       FROM sessions WHERE id = ANY($1::uuid[])`,
    [ids.filter((id) => UUID.test(id))],
    { prepare: true },
  );
  const found = new Map(
    rows.map((row) => [row.id, { session: readSessionRow(row), hasOpenTurns: row.has_open_turns }]),
  );
  return ids.map((id) => found.get(id.toLowerCase()) ?? null);
}

/** Stores the verified context, replacing the previous one completely (VCI-8). */
export async function setContextVault(
  sql: Sql,
  id: string,
  vault: Readonly<Record<string, string | number | boolean | null>>,
): Promise<void> {
  await sql.query('UPDATE sessions SET context_vault = $2::json WHERE id = $1', [id, JSON.stringify(vault)]);
}

/** Stores the vocabulary that a client used (V-5 c). */
export async function setVocabulary(sql: Sql, id: string, vocabulary: 'neutral' | 'poly'): Promise<void> {
  await sql.query('UPDATE sessions SET vocabulary = $2 WHERE id = $1', [id, vocabulary]);
}

/** Moves the last activity of sessions forward, never back. For batches: see `ActivityBuffer`. */
export async function touchSessions(sql: Sql, lastActivityMs: ReadonlyMap<string, number>): Promise<void> {
  if (lastActivityMs.size === 0) return;
  await sql.query(
    `WITH locked AS MATERIALIZED (
       SELECT id FROM sessions WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE sessions s SET last_activity = t.at
       FROM locked
       JOIN unnest($1::uuid[], $2::bigint[]) AS t (id, at) ON t.id = locked.id
      WHERE s.id = locked.id AND s.last_activity < t.at`,
    [[...lastActivityMs.keys()], [...lastActivityMs.values()]],
  );
}

/**
 * Ids of open sessions without activity since a given time, oldest first: these expire (HB-4). Returns ids only, so
 * that one unreadable row does not hide the others. `except` skips sessions whose expiry is retried later.
 */
export async function listIdleSessions(
  sql: Sql,
  idleSinceMs: number,
  { limit = 100, except = [] }: { readonly limit?: number; readonly except?: readonly string[] } = {},
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `SELECT id FROM sessions
      WHERE ended_at IS NULL AND last_activity <= $1 AND id <> ALL($3::uuid[])
      ORDER BY last_activity LIMIT $2`,
    [idleSinceMs, limit, except],
  );
  return rows.map(({ id }) => id);
}

/** Removes a session with its events, turns and external events. Returns whether there was one. */
export async function deleteSession(sql: Sql, id: string): Promise<boolean> {
  return await sql.tx(async (tx) => {
    // The session first: its row lock prevents a concurrent append from adding events after the deletion.
    const rows = await tx.query('DELETE FROM sessions WHERE id = $1 RETURNING id', [id]);
    await tx.query('DELETE FROM events WHERE session_id = $1', [id]);
    await tx.query('DELETE FROM turns WHERE session_id = $1', [id]);
    await tx.query('DELETE FROM external_waits WHERE session_id = $1', [id]);
    return rows.length > 0;
  });
}
