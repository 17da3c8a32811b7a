import type { Sql } from '../../db/index.ts';
import { DATABASE_NOW } from '../../db/index.ts';

/** How long a node keeps its sessions without renewing its lease, in milliseconds. */
export const LEASE_MS = 10_000;

/** How often a node renews its lease, in milliseconds: three attempts before it expires. */
export const LEASE_RENEWAL_MS = 3_000;

// How long the row of an expired lease is kept. Until then its node can renew it and keeps the sessions that no other
// node has taken, so that a database outage of fifteen seconds interrupts no answer.
const EXPIRED_KEPT_MS = 60_000;

/** SQL condition on a session `s`: its owner's lease is valid. False for a session without an owner. */
export const HAS_LIVE_OWNER: string = `EXISTS (
  SELECT 1 FROM node_leases l
   WHERE l.node = s.owner_node AND l.epoch = s.owner_node_epoch AND l.expires_at > ${DATABASE_NOW})`;

/** The lease under which a node owns sessions. No two leases of one database have the same epoch. */
export interface NodeLeaseKey {
  readonly node: string;
  readonly epoch: number;
}

/** A session that another node took from this one. */
export interface LostSession {
  readonly sessionId: string;
  /** The session's epoch under its new owner. */
  readonly epoch: number;
}

/** Result of a renewal. */
export type LeaseRenewal =
  | {
      readonly status: 'renewed';
      /** Sessions that other nodes took since the last `forgetLostSessions`. */
      readonly lost: readonly LostSession[];
      /**
       * When the first lease of another node expires unless renewed, in milliseconds from now; 0 or less: one has
       * expired, and its sessions need a new owner. `null`: no other node has a lease.
       */
      readonly nextExpiryMs: number | null;
    }
  /** The lease was removed or replaced. Its node owns no sessions any more. */
  | { readonly status: 'lost' };

/** Creates a node's lease. Sessions under its earlier lease become free for any node. */
export async function acquireNodeLease(
  sql: Sql,
  node: string,
  leaseMs: number = LEASE_MS,
): Promise<NodeLeaseKey> {
  const [row] = await sql.query<{ epoch: number }>(
    `INSERT INTO node_leases AS l (node, expires_at) VALUES ($1, ${DATABASE_NOW} + $2::bigint)
     ON CONFLICT (node) DO UPDATE SET epoch = EXCLUDED.epoch, expires_at = EXCLUDED.expires_at
     RETURNING epoch`,
    [node, leaseMs],
  );
  if (row === undefined) throw new TypeError('an upsert returned no row');
  return { node, epoch: row.epoch };
}

/** Extends a lease, even an expired one while its row exists. Writes one row. */
export async function renewNodeLease(
  sql: Sql,
  { node, epoch }: NodeLeaseKey,
  leaseMs: number = LEASE_MS,
): Promise<LeaseRenewal> {
  const rows = await sql.query<{
    is_renewed: boolean;
    next_expiry: number | null;
    session_id: string | null;
    session_epoch: number | null;
  }>(
    `WITH renewed AS (
       UPDATE node_leases SET expires_at = ${DATABASE_NOW} + $3::bigint
        WHERE node = $1 AND epoch = $2 RETURNING node
     )
     SELECT EXISTS (SELECT 1 FROM renewed) AS is_renewed,
            (SELECT min(expires_at) FROM node_leases WHERE node <> $1) - ${DATABASE_NOW} AS next_expiry,
            lost.session_id, lost.epoch AS session_epoch
       FROM (VALUES ($1::text)) AS me (node)
       LEFT JOIN lost_sessions lost ON lost.node = me.node`,
    [node, epoch, leaseMs],
  );
  if (rows[0]?.is_renewed !== true) return { status: 'lost' };
  return {
    status: 'renewed',
    nextExpiryMs: rows[0].next_expiry,
    lost: rows.flatMap((row) =>
      row.session_id === null ? [] : [{ sessionId: row.session_id, epoch: row.session_epoch ?? 0 }],
    ),
  };
}

/** Removes reported losses after the node has acted on them. */
export async function forgetLostSessions(
  sql: Sql,
  node: string,
  lost: readonly LostSession[],
): Promise<void> {
  if (lost.length === 0) return;
  await sql.query(
    `DELETE FROM lost_sessions d USING unnest($2::uuid[], $3::bigint[]) AS t (session_id, epoch)
      WHERE d.node = $1 AND d.session_id = t.session_id AND d.epoch = t.epoch`,
    [node, lost.map(({ sessionId }) => sessionId), lost.map(({ epoch }) => epoch)],
  );
}

/** Ends a lease: all sessions owned under it become free at once. */
export async function releaseNodeLease(sql: Sql, { node, epoch }: NodeLeaseKey): Promise<void> {
  await sql.query('DELETE FROM node_leases WHERE node = $1 AND epoch = $2', [node, epoch]);
}

/**
 * Whether this node should run a task that one node suffices for: each task name selects one of the nodes with a valid
 * lease. A dead node stays eligible until its lease expires. Two nodes may be selected during a change.
 */
export async function isChosenNode(sql: Sql, node: string, task: string): Promise<boolean> {
  const [chosen] = await sql.query<{ readonly node: string }>(
    `SELECT node FROM node_leases WHERE expires_at > ${DATABASE_NOW} ORDER BY md5(node || $1::text) LIMIT 1`,
    [task],
  );
  return chosen === undefined || chosen.node === node;
}

/** Leases by node, `limit` at most, with the milliseconds until they expire; 0 or less: expired. */
export async function listNodeLeases(sql: Sql, limit: number): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ readonly node: string; readonly left_ms: number }>(
    `SELECT node, expires_at - ${DATABASE_NOW} AS left_ms FROM node_leases ORDER BY node LIMIT $1`,
    [limit],
  );
  return new Map(rows.map(({ node, left_ms }) => [node, left_ms]));
}

/** Removes the rows of nodes whose lease expired a minute ago, and messages left for them. */
export async function removeExpiredNodes(sql: Sql, keptMs: number = EXPIRED_KEPT_MS): Promise<void> {
  await sql.query(`DELETE FROM node_leases WHERE expires_at <= ${DATABASE_NOW} - $1::bigint`, [keptMs]);
  await sql.query(
    'DELETE FROM lost_sessions d WHERE NOT EXISTS (SELECT 1 FROM node_leases l WHERE l.node = d.node)',
  );
}
