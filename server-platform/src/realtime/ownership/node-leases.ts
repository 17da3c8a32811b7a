import type { Sql } from '../../db/index.ts';
import { DATABASE_NOW } from '../../db/index.ts';

/** How long a node keeps its sessions without renewing its lease, in milliseconds. */
export const LEASE_MS = 10_000;

/** How often a node renews its lease, in milliseconds: three tries before the lease runs out. */
export const LEASE_RENEWAL_MS = 3_000;

// How long the row of a lease that ran out is kept. Until then its node can renew it, and keeps the sessions that no
// other node has taken: a database that was away for a quarter of a minute interrupts no answer.
const EXPIRED_KEPT_MS = 60_000;

/** Condition on a session `s`: its owner's lease has not run out. False for a session without an owner. */
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

/** What a renewal found. */
export type LeaseRenewal =
  | {
      readonly status: 'renewed';
      /** Sessions that other nodes took since the last call of `forgetLostSessions`. */
      readonly lost: readonly LostSession[];
      /**
       * When the first lease of another node runs out unless it is renewed, in milliseconds from now; 0 or less: one has
       * run out, and its sessions need a new owner. `null`: no other node has one.
       */
      readonly nextExpiryMs: number | null;
    }
  /** The lease was removed or replaced. Its node owns no session any more. */
  | { readonly status: 'lost' };

/** Gives a node a new lease. Sessions of its earlier lease are free for any node. */
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

/** Extends a lease, also one that ran out meanwhile, as long as its row is there. One row is written. */
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

/** Removes what a renewal has reported, after the node has acted on it. */
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

/** Ends a lease: every session that is owned under it is free at once. */
export async function releaseNodeLease(sql: Sql, { node, epoch }: NodeLeaseKey): Promise<void> {
  await sql.query('DELETE FROM node_leases WHERE node = $1 AND epoch = $2', [node, epoch]);
}

/**
 * Whether a task that one node is enough for is this node's: each name of a task chooses one of the nodes whose lease
 * lasts. A node that dies is out of the choice when its lease runs out. Two nodes may be chosen at a change.
 */
export async function isChosenNode(sql: Sql, node: string, task: string): Promise<boolean> {
  const [chosen] = await sql.query<{ readonly node: string }>(
    `SELECT node FROM node_leases WHERE expires_at > ${DATABASE_NOW} ORDER BY md5(node || $1::text) LIMIT 1`,
    [task],
  );
  return chosen === undefined || chosen.node === node;
}

/** Removes the rows of nodes whose lease ran out a minute ago, and messages left for them. */
export async function removeExpiredNodes(sql: Sql, keptMs: number = EXPIRED_KEPT_MS): Promise<void> {
  await sql.query(`DELETE FROM node_leases WHERE expires_at <= ${DATABASE_NOW} - $1::bigint`, [keptMs]);
  await sql.query(
    'DELETE FROM lost_sessions d WHERE NOT EXISTS (SELECT 1 FROM node_leases l WHERE l.node = d.node)',
  );
}
