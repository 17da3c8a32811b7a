import type { TestNodes } from './nodes.ts';

/** Name of the node that owned the sessions. */
const DEAD_NODE = 'dead';

/**
 * Stores sessions as a node leaves them that dies with a message accepted and nothing of its answer stored. The node's
 * lease lasts until `letLeaseRunOut`. Needs a connector in the database.
 */
export async function insertInterruptedSessions(nodes: TestNodes, count: number): Promise<void> {
  await nodes.run(
    `WITH lease AS (
       INSERT INTO node_leases (node, expires_at) VALUES ('${DEAD_NODE}', 9000000000000) RETURNING epoch
     ), session AS (
       INSERT INTO sessions (id, connector_id, identity, platform, streaming, context_id, created_at, last_activity,
                             state, conversation_id, conversation_status, last_sequence, last_turn, owner_node,
                             owner_node_epoch, owner_epoch)
       SELECT gen_random_uuid(), connectors.id, 'visitor-' || n, 'web', true, 'context-' || n, t.now, t.now,
              'active', 'CONV-' || n, 'running', 2, 1, '${DEAD_NODE}', lease.epoch, 1
         FROM generate_series(1, ${count}) AS n, lease, connectors,
              (SELECT (extract(epoch FROM now()) * 1000)::bigint AS now) AS t
       RETURNING id, created_at
     ), event AS (
       INSERT INTO events (session_id, sequence, id, type, payload, bytes, created_at)
       SELECT id, 1, gen_random_uuid(), 'EVENT_TYPE_SESSION_START', '{}'::json, 2, created_at FROM session
        UNION ALL
       SELECT id, 2, gen_random_uuid(), 'EVENT_TYPE_USER_MESSAGE',
              '{"text":"still there?","message_id":"msg_1"}'::json, 44, created_at FROM session
     )
     INSERT INTO turns (id, session_id, ordinal, input_sequence, queued_at)
     SELECT gen_random_uuid(), id, 1, 2, created_at FROM session`,
  );
}

/** Does what time does: the lease of the node that died runs out. */
export async function letLeaseRunOut(nodes: TestNodes): Promise<void> {
  await nodes.run(`UPDATE node_leases SET expires_at = 0 WHERE node = '${DEAD_NODE}'`);
}

/** Number of sessions that still wait for their answer. */
export async function countOpenTurns(nodes: TestNodes): Promise<number> {
  const [row] = await nodes.run('SELECT count(*)::int AS waiting FROM turns');
  return Number(row?.['waiting']);
}
