import { and, desc, eq, sql as fragment, inArray, isNotNull, isNull, ne, or } from 'drizzle-orm';
import {
  type Backlog,
  deskRequests,
  queryBuilder,
  readBacklog,
  type Sql,
  storableText,
} from '../db/index.ts';
import type { DeskEvent } from '../handoff/providers/index.ts';
import type { RequestState, RequestStatus } from './request-state.ts';

/** An event that was not delivered to its session yet. */
export interface Pending {
  readonly id: string;
  readonly event: DeskEvent;
}

/** A hand-off to the desk as it is stored. */
export interface DeskRequest extends RequestState {
  readonly id: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly conversationId: string;
  readonly provider: string;
  readonly skills: readonly string[];
  readonly language: string | null;
  readonly reason: string;
  readonly requestedAtMs: number;
  readonly offerMs: number;
  readonly returnMs: number;
  readonly position: number | null;
  readonly estimatedWaitSeconds: number | null;
  /** Since when the visitor has no socket; null: connected. */
  readonly leftAtMs: number | null;
  readonly unread: number;
  /** The last message that the visitor has seen, as reported by their client; null: none, or no reports. */
  readonly seenMessageId: string | null;
  readonly tags: readonly string[];
  readonly version: number;
  readonly pending: readonly Pending[];
}

type Row = typeof deskRequests.$inferSelect;

function readRow(row: Row): DeskRequest {
  const { requestedAt, offerExpiresAt, acceptedAt, endedAt, leftAt, firstMessageAt: _, ...fields } = row;
  return {
    ...fields,
    // Only values of these types are ever written.
    status: row.status as RequestStatus,
    pending: row.pending as readonly Pending[],
    requestedAtMs: requestedAt,
    offerExpiresAtMs: offerExpiresAt,
    acceptedAtMs: acceptedAt,
    endedAtMs: endedAt,
    leftAtMs: leftAt,
  };
}

function toRow(request: DeskRequest): Omit<Row, 'firstMessageAt'> {
  const { requestedAtMs, offerExpiresAtMs, acceptedAtMs, endedAtMs, leftAtMs, ...fields } = request;
  return {
    ...fields,
    requestedAt: requestedAtMs,
    offerExpiresAt: offerExpiresAtMs,
    acceptedAt: acceptedAtMs,
    endedAt: endedAtMs,
    leftAt: leftAtMs,
  };
}

export async function insertRequest(sql: Sql, request: DeskRequest): Promise<void> {
  await queryBuilder(sql).insert(deskRequests).values(toRow(request));
}

/** Writes the fields that steps change. The caller must hold the account's lock. */
export async function saveRequest(sql: Sql, request: DeskRequest): Promise<void> {
  const { id, unread: _, tags: __, leftAt: ___, seenMessageId: ____, ...fields } = toRow(request);
  await queryBuilder(sql).update(deskRequests).set(fields).where(eq(deskRequests.id, id));
}

export async function findRequest(sql: Sql, accountId: string, id: string): Promise<DeskRequest | null> {
  if (id.includes('\0')) return null;
  const [row] = await queryBuilder(sql)
    .select()
    .from(deskRequests)
    .where(and(eq(deskRequests.id, id), eq(deskRequests.accountId, accountId)));
  return row === undefined ? null : readRow(row);
}

/** Requests by their ids, the newest first. */
export async function listRequests(sql: Sql, ids: readonly string[]): Promise<readonly DeskRequest[]> {
  const rows = await queryBuilder(sql)
    .select()
    .from(deskRequests)
    .where(inArray(deskRequests.id, [...ids]))
    .orderBy(desc(deskRequests.requestedAt));
  return rows.map(readRow);
}

/** The open request of a session at a provider; null if there is none. */
export async function findOpenRequest(
  sql: Sql,
  sessionId: string,
  provider: string,
): Promise<DeskRequest | null> {
  const [row] = await queryBuilder(sql)
    .select()
    .from(deskRequests)
    .where(
      and(
        eq(deskRequests.sessionId, sessionId),
        eq(deskRequests.provider, provider),
        isNull(deskRequests.endedAt),
      ),
    );
  return row === undefined ? null : readRow(row);
}

/** The open requests of an account, in order of arrival. */
export async function listOpenRequests(sql: Sql, accountId: string): Promise<readonly DeskRequest[]> {
  const rows = await queryBuilder(sql)
    .select()
    .from(deskRequests)
    .where(and(eq(deskRequests.accountId, accountId), isNull(deskRequests.endedAt)))
    .orderBy(deskRequests.requestedAt, deskRequests.id);
  return rows.map(readRow);
}

/** A person's most recent conversations. */
export async function listRecentRequests(
  sql: Sql,
  personId: string,
  limit: number,
): Promise<readonly DeskRequest[]> {
  const rows = await queryBuilder(sql)
    .select()
    .from(deskRequests)
    .where(and(eq(deskRequests.personId, personId), isNotNull(deskRequests.endedAt)))
    .orderBy(desc(deskRequests.endedAt))
    .limit(limit);
  return rows.map(readRow);
}

/** The most recent requests of an account. */
export async function listLatestRequests(
  sql: Sql,
  accountId: string,
  limit: number,
): Promise<readonly DeskRequest[]> {
  const rows = await queryBuilder(sql)
    .select()
    .from(deskRequests)
    .where(eq(deskRequests.accountId, accountId))
    .orderBy(desc(deskRequests.requestedAt))
    .limit(limit);
  return rows.map(readRow);
}

/** Open requests whose session has ended, or no longer waits for a person. */
export async function listStrayRequests(sql: Sql, accountId: string): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `SELECT r.id FROM desk_requests r LEFT JOIN sessions s ON s.id = r.session_id
      WHERE r.account_id = $1 AND r.ended_at IS NULL
        AND (s.id IS NULL OR s.ended_at IS NOT NULL OR s.state NOT IN ('handoff', 'live'))`,
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/** An open request's data about its visitor. */
export type KnownVisitor = Pick<DeskRequest, 'id' | 'sessionId' | 'leftAtMs'>;

/** The open requests of an account, with whether their visitors are present. */
export async function listVisitors(sql: Sql, accountId: string): Promise<readonly KnownVisitor[]> {
  const { id, sessionId, leftAt, endedAt } = deskRequests;
  return await queryBuilder(sql)
    .select({ id, sessionId, leftAtMs: leftAt })
    .from(deskRequests)
    .where(and(eq(deskRequests.accountId, accountId), isNull(endedAt)));
}

/** How many requests of an account wait for a person. */
export async function countWaiting(sql: Sql, accountId: string): Promise<number> {
  const [row] = await sql.query<{ readonly waiting: number }>(
    `SELECT count(*)::int AS waiting FROM desk_requests
      WHERE account_id = $1 AND ended_at IS NULL AND status <> 'accepted'`,
    [accountId],
  );
  return row?.waiting ?? 0;
}

/** The requests of an account that wait for a person. */
export async function readRequestBacklog(sql: Sql, accountId: string): Promise<Backlog> {
  const waiting = `SELECT requested_at AS at FROM desk_requests
     WHERE account_id = $1 AND ended_at IS NULL AND status IN ('waiting', 'offered')`;
  return await readBacklog(sql, waiting, [accountId]);
}

/** Records that visitors have left, or with null that they are present. */
export async function noteVisitors(sql: Sql, ids: readonly string[], leftAtMs: number | null): Promise<void> {
  if (ids.length === 0) return;
  await sql.query('UPDATE desk_requests SET left_at = $2 WHERE id = ANY($1::text[])', [ids, leftAtMs]);
}

/** Accounts with open requests, or with pending events for sessions. */
export async function listBusyAccounts(sql: Sql): Promise<readonly string[]> {
  const rows = await queryBuilder(sql)
    .selectDistinct({ accountId: deskRequests.accountId })
    .from(deskRequests)
    .where(or(isNull(deskRequests.endedAt), hasPending));
  return rows.map(({ accountId }) => accountId);
}

const hasPending = ne(deskRequests.pending, fragment`'[]'::jsonb`);

/** Requests of an account with pending events for their sessions. */
export async function listUntold(sql: Sql, accountId: string): Promise<readonly string[]> {
  const rows = await queryBuilder(sql)
    .select({ id: deskRequests.id })
    .from(deskRequests)
    .where(and(eq(deskRequests.accountId, accountId), hasPending));
  return rows.map(({ id }) => id);
}

/**
 * Locks the requests of an account with pending events until the transaction ends, so that no delivery removes an event
 * between reading and writing them.
 */
export async function lockPending(sql: Sql, accountId: string): Promise<void> {
  await queryBuilder(sql)
    .select({ id: deskRequests.id })
    .from(deskRequests)
    .where(and(eq(deskRequests.accountId, accountId), hasPending))
    .for('update');
}

/**
 * Removes an event that the session has received, if it is still the first. Resolves with the events after it; null:
 * another node has removed it.
 */
export async function removePending(
  sql: Sql,
  requestId: string,
  pendingId: string,
): Promise<readonly Pending[] | null> {
  const [row] = await sql.query<{ readonly pending: readonly Pending[] }>(
    `UPDATE desk_requests SET pending = pending - 0 WHERE id = $1 AND pending -> 0 ->> 'id' = $2
     RETURNING pending`,
    [requestId, pendingId],
  );
  return row?.pending ?? null;
}

/** Removes all pending events of a request. */
export async function clearPending(sql: Sql, requestId: string): Promise<void> {
  await queryBuilder(sql).update(deskRequests).set({ pending: [] }).where(eq(deskRequests.id, requestId));
}

/** Durations of the last conversations, by queue. */
export async function readHandlingTimes(
  sql: Sql,
  accountId: string,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await sql.query<{ queue_id: string; handling_ms: number }>(
    `SELECT q.id AS queue_id, r.ended_at - r.accepted_at AS handling_ms
       FROM desk_queues q
      CROSS JOIN LATERAL (
        SELECT ended_at, accepted_at FROM desk_requests
         WHERE queue_id = q.id AND accepted_at IS NOT NULL AND ended_at IS NOT NULL
         ORDER BY ended_at DESC LIMIT 20) r
      WHERE q.account_id = $1`,
    [accountId],
  );
  const times = new Map<string, number[]>();
  for (const { queue_id, handling_ms } of rows)
    times.set(queue_id, [...(times.get(queue_id) ?? []), handling_ms]);
  return times;
}

export async function setTags(sql: Sql, id: string, tags: readonly string[]): Promise<void> {
  await queryBuilder(sql)
    .update(deskRequests)
    .set({ tags: tags.map(storableText) })
    .where(eq(deskRequests.id, id));
}

/** Counts the visitor's messages since the person last wrote. */
export async function countUnread(sql: Sql, id: string): Promise<void> {
  const unread = fragment`${deskRequests.unread} + 1`;
  await queryBuilder(sql).update(deskRequests).set({ unread }).where(eq(deskRequests.id, id));
}

const MESSAGE_ID = /^[\w-]{1,64}$/;

/** Records the last message that the visitor has seen; false: already recorded, or not a message id. */
export async function noteMessageSeen(sql: Sql, id: string, messageId: string): Promise<boolean> {
  if (!MESSAGE_ID.test(messageId)) return false;
  const noted = await sql.query(
    'UPDATE desk_requests SET seen_message_id = $2 WHERE id = $1 AND seen_message_id IS DISTINCT FROM $2 RETURNING 1',
    [id, messageId],
  );
  return noted.length > 0;
}

/** Records that the person has written: resets the unread count, and sets the first message's time once. */
export async function noteMessage(sql: Sql, id: string, atMs: number): Promise<void> {
  await sql.query(
    'UPDATE desk_requests SET unread = 0, first_message_at = COALESCE(first_message_at, $2) WHERE id = $1',
    [id, atMs],
  );
}
