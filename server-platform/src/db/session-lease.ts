import { readSessionRow, SESSION_COLUMNS, type Session, type SessionRow } from './session.ts';
import type { Sql } from './sql.ts';

/** How long an owner keeps a session without renewing, in milliseconds. */
export const LEASE_MS = 10_000;

/** How often an owner renews, in milliseconds: three tries before the lease runs out. */
export const LEASE_RENEWAL_MS = 3_000;

// The database's clock decides, so that nodes need not agree on the time.
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Whether a session could be claimed. */
export type ClaimResult =
  /** The caller is the owner under `session.ownerEpoch`; whoever owned it before writes nothing any more. */
  | { readonly status: 'claimed'; readonly session: Session }
  /** Another node owns it; forward to that one. */
  | { readonly status: 'owned'; readonly node: string }
  /** There is no such session, or it is over. */
  | { readonly status: 'closed' };

/** An owner whose lease need not be waited for: by its epoch it writes nothing any more once the session is claimed. */
export interface Takeover {
  readonly from: string;
  /** Only while no turn is open, so that no answer breaks off. */
  readonly isIdleOnly: boolean;
}

/**
 * Makes `node` the owner of an open session, under the next epoch, when nobody owns it, its lease ran out, `node` is the
 * owner already, or it may be taken over.
 */
export async function claimSession(
  sql: Sql,
  sessionId: string,
  node: string,
  leaseMs: number = LEASE_MS,
  takeover: Takeover | null = null,
): Promise<ClaimResult> {
  const [claimed] = await sql.query<SessionRow>(
    `UPDATE sessions
        SET owner_node = $2, owner_epoch = owner_epoch + 1, lease_until = ${NOW} + $3::bigint
      WHERE id = $1 AND ended_at IS NULL
        AND (owner_node IS NULL OR owner_node = $2 OR lease_until <= ${NOW}
             OR owner_node = $4 AND NOT ($5 AND EXISTS (
                  SELECT 1 FROM turns WHERE turns.session_id = sessions.id AND turns.finished_at IS NULL)))
      RETURNING ${SESSION_COLUMNS}`,
    [sessionId, node, leaseMs, takeover?.from ?? null, takeover?.isIdleOnly ?? false],
  );
  if (claimed !== undefined) return { status: 'claimed', session: readSessionRow(claimed) };
  const [row] = await sql.query<{ owner_node: string | null; ended_at: number | null }>(
    'SELECT owner_node, ended_at FROM sessions WHERE id = $1',
    [sessionId],
  );
  if (row === undefined || row.ended_at !== null) return { status: 'closed' };
  // Released between the two statements: one more try would win or find the next owner; the caller's node is as good
  // an answer as any while nobody holds it.
  return row.owner_node === null
    ? await claimSession(sql, sessionId, node, leaseMs, takeover)
    : { status: 'owned', node: row.owner_node };
}

/** What a node that follows a session looks at. */
export interface SessionSight {
  readonly id: string;
  readonly lastSequence: number;
  readonly lastActivityMs: number;
  readonly endedAtMs: number | null;
  /** Whose lease has not run out; null: nobody's. */
  readonly owner: string | null;
}

/** The sessions with these ids as they are now; those that are not there are left out. */
export async function lookAtSessions(sql: Sql, ids: readonly string[]): Promise<readonly SessionSight[]> {
  const rows = await sql.query<{
    id: string;
    last_sequence: number;
    last_activity: number;
    ended_at: number | null;
    owner: string | null;
  }>(
    `SELECT id, last_sequence, last_activity, ended_at, CASE WHEN lease_until > ${NOW} THEN owner_node END AS owner
       FROM sessions WHERE id = ANY($1::uuid[])`,
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

/** Renews the leases of sessions owned under the given epochs. Resolves with the ids that were lost meanwhile. */
export async function renewLeases(
  sql: Sql,
  node: string,
  epochs: ReadonlyMap<string, number>,
  leaseMs: number = LEASE_MS,
): Promise<readonly string[]> {
  if (epochs.size === 0) return [];
  const rows = await sql.query<{ id: string }>(
    `UPDATE sessions s SET lease_until = ${NOW} + $4::bigint
       FROM unnest($2::uuid[], $3::bigint[]) AS t (id, epoch)
      WHERE s.id = t.id AND s.owner_node = $1 AND s.owner_epoch = t.epoch AND s.ended_at IS NULL
      RETURNING s.id`,
    [node, [...epochs.keys()], [...epochs.values()], leaseMs],
  );
  const kept = new Set(rows.map((row) => row.id));
  return [...epochs.keys()].filter((id) => !kept.has(id));
}

/** Gives sessions up, so that the next node need not wait for the lease to run out. */
export async function releaseLeases(
  sql: Sql,
  node: string,
  epochs: ReadonlyMap<string, number>,
): Promise<void> {
  if (epochs.size === 0) return;
  await sql.query(
    `UPDATE sessions s SET owner_node = NULL, lease_until = 0
       FROM unnest($2::uuid[], $3::bigint[]) AS t (id, epoch)
      WHERE s.id = t.id AND s.owner_node = $1 AND s.owner_epoch = t.epoch`,
    [node, [...epochs.keys()], [...epochs.values()]],
  );
}
