import type { Sql } from '../../db/index.ts';
import { DATABASE_NOW } from '../../db/index.ts';
import { readSessionRow, SESSION_COLUMNS, type SessionRow, type StoredSession } from '../event-log/index.ts';
import { HAS_LIVE_OWNER, type NodeLeaseKey } from './node-leases.ts';

/** Whether a session could be claimed. */
export type ClaimResult =
  /** The caller is the owner under `session.ownerEpoch`; the previous owner can no longer write. */
  | { readonly status: 'claimed'; readonly session: StoredSession }
  /** Another node owns the session; forward to it. */
  | { readonly status: 'owned'; readonly node: string }
  /** The caller's lease expired or was replaced: renew or acquire it, then claim again. */
  | { readonly status: 'no_lease' }
  /** The session is over. */
  | { readonly status: 'closed' }
  /** The session does not exist, or no longer. */
  | { readonly status: 'missing' };

/** An owner whose session may be taken before its lease expires. Its old epoch prevents any further writes. */
export interface Takeover {
  readonly from: string;
  /** Only while no turn is open, so that no answer is interrupted. */
  readonly isIdleOnly: boolean;
}

/** One session to claim. */
export interface ClaimRequest {
  readonly sessionId: string;
  readonly takeover?: Takeover | null;
}

const HAS_OWN_LEASE = `EXISTS (
  SELECT 1 FROM node_leases WHERE node = $1 AND epoch = $2 AND expires_at > ${DATABASE_NOW})`;

// `found` locks the rows in the order of their ids, so that of several nodes claiming at once, the later ones see the
// first one as the owner. It locks only claimable rows, because a forwarding node runs this for every message.
const CLAIM = `
WITH found AS MATERIALIZED (
  SELECT s.id, s.owner_node
    FROM unnest($3::uuid[], $4::text[], $5::boolean[]) AS ask (id, taken_from, is_idle_only)
    JOIN sessions s ON s.id = ask.id
   WHERE s.ended_at IS NULL AND ${HAS_OWN_LEASE}
     AND (s.owner_node IS NULL OR s.owner_node = $1 OR NOT ${HAS_LIVE_OWNER}
          OR s.owner_node = ask.taken_from AND NOT (ask.is_idle_only AND EXISTS (
               SELECT 1 FROM turns WHERE turns.session_id = s.id)))
   ORDER BY s.id
     FOR NO KEY UPDATE OF s
), claimed AS (
  UPDATE sessions s
     SET owner_node = $1, owner_node_epoch = $2, owner_epoch = s.owner_epoch + 1
    FROM found
   WHERE s.id = found.id
  RETURNING s.*
), told AS (
  INSERT INTO lost_sessions (node, session_id, epoch)
  SELECT found.owner_node, claimed.id, claimed.owner_epoch
    FROM found
    JOIN claimed ON claimed.id = found.id
   WHERE found.owner_node <> $1
     AND EXISTS (SELECT 1 FROM node_leases WHERE node = found.owner_node)
  ON CONFLICT DO NOTHING
)
SELECT ${SESSION_COLUMNS} FROM claimed`;

// Finds why the other sessions could not be claimed.
const FIND_OWNERS = `
SELECT s.id, s.ended_at, CASE WHEN ${HAS_LIVE_OWNER} THEN s.owner_node END AS owner, ${HAS_OWN_LEASE} AS has_lease
  FROM sessions s WHERE s.id = ANY($3::uuid[])`;

type OwnerRow = {
  readonly id: string;
  readonly ended_at: number | null;
  readonly owner: string | null;
  readonly has_lease: boolean;
};

/**
 * Makes the lease's node the owner of open sessions, each under its next epoch, if they have no owner, if their owner's
 * lease expired, if the node owns them already, or if they may be taken over. The former owner finds them among its
 * lost sessions. Resolves with one result per request, in order.
 */
export async function claimSessions(
  sql: Sql,
  { node, epoch }: NodeLeaseKey,
  requests: readonly ClaimRequest[],
): Promise<readonly ClaimResult[]> {
  const results = new Map<string, ClaimResult>();
  for (;;) {
    const open = requests.filter(({ sessionId }) => !results.has(sessionId));
    if (open.length === 0) break;
    const ids = open.map(({ sessionId }) => sessionId);
    const claimed = await sql.query<SessionRow>(
      CLAIM,
      [
        node,
        epoch,
        ids,
        open.map(({ takeover }) => takeover?.from ?? null),
        open.map(({ takeover }) => takeover?.isIdleOnly ?? false),
      ],
      { prepare: true },
    );
    for (const row of claimed) results.set(row.id, { status: 'claimed', session: readSessionRow(row) });
    const refused = ids.filter((id) => !results.has(id));
    if (refused.length === 0) break;
    const rows = await sql.query<OwnerRow>(FIND_OWNERS, [node, epoch, refused], { prepare: true });
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const id of refused) {
      const result = whyRefused(found.get(id), node);
      if (result !== null) results.set(id, result);
    }
  }
  return requests.map(({ sessionId }) => results.get(sessionId) ?? { status: 'missing' });
}

/** Null if it was released between the two statements: a retry acquires it or finds the next owner. */
function whyRefused(row: OwnerRow | undefined, node: string): ClaimResult | null {
  if (row === undefined) return { status: 'missing' };
  if (row.ended_at !== null) return { status: 'closed' };
  if (!row.has_lease) return { status: 'no_lease' };
  return row.owner === null || row.owner === node ? null : { status: 'owned', node: row.owner };
}

/** Session status as polled by a node that follows the session. */
export interface SessionStatusRow {
  readonly id: string;
  readonly lastSequence: number;
  readonly lastActivityMs: number;
  readonly endedAtMs: number | null;
  /** The owner with a valid lease; null: none. */
  readonly owner: string | null;
}

/** Returns the current status of these sessions; missing sessions are omitted. */
export async function loadSessionStatus(
  sql: Sql,
  ids: readonly string[],
): Promise<readonly SessionStatusRow[]> {
  const rows = await sql.query<{
    id: string;
    last_sequence: number;
    last_activity: number;
    ended_at: number | null;
    owner: string | null;
  }>(
    `SELECT s.id, s.last_sequence, s.last_activity, s.ended_at, CASE WHEN ${HAS_LIVE_OWNER} THEN s.owner_node END AS owner
       FROM sessions s WHERE s.id = ANY($1::uuid[])`,
    [ids],
    { prepare: true },
  );
  return rows.map((row) => ({
    id: row.id,
    lastSequence: row.last_sequence,
    lastActivityMs: row.last_activity,
    endedAtMs: row.ended_at,
    owner: row.owner,
  }));
}

/** Releases sessions that are still owned under the given epochs, so that any node may claim them. */
export async function releaseSessions(
  sql: Sql,
  node: string,
  epochs: ReadonlyMap<string, number>,
): Promise<void> {
  if (epochs.size === 0) return;
  await sql.query(
    `WITH locked AS MATERIALIZED (
       SELECT id FROM sessions WHERE id = ANY($2::uuid[]) ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE sessions s SET owner_node = NULL, owner_node_epoch = NULL
       FROM locked
       JOIN unnest($2::uuid[], $3::bigint[]) AS t (id, epoch) ON t.id = locked.id
      WHERE s.id = locked.id AND s.owner_node = $1 AND s.owner_epoch = t.epoch`,
    [node, [...epochs.keys()], [...epochs.values()]],
  );
}
