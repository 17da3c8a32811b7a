import { randomUUID } from 'node:crypto';
import { addAccount, addConnector, addProject } from '../../src/accounts/index.ts';
import type { Database } from '../../src/db/sql.ts';
import { createSession } from '../../src/realtime/event-log/session-table.ts';
import type { NewEvent } from '../../src/realtime/event-log/stored-event.ts';
import type { StoredSession } from '../../src/realtime/event-log/stored-session.ts';
import { acquireNodeLease, type NodeLeaseKey } from '../../src/realtime/ownership/node-leases.ts';
import {
  type ClaimResult,
  claimSessions,
  type Takeover,
} from '../../src/realtime/ownership/session-ownership.ts';

/** An event for tests; given fields replace the defaults. */
export function testEvent(fields: Partial<NewEvent> = {}): NewEvent {
  return {
    id: randomUUID(),
    type: 'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
    payload: { text: 'hello' },
    custom: null,
    timestampMs: 1_700_000_000_000,
    ...fields,
  };
}

/** A user message with a draft id. */
export function testMessage(clientEventId: string, fields: Partial<NewEvent> = {}): NewEvent {
  return testEvent({
    type: 'EVENT_TYPE_USER_MESSAGE',
    payload: { text: 'When does the ferry leave?', message_id: 'msg_1' },
    custom: { client_event_id: clientEventId },
    clientEventId,
    ...fields,
  });
}

/** Adds an account with a project and a connector, and resolves with the connector's id. */
export async function addTestConnector(database: Database): Promise<string> {
  const account = await addAccount(database, { slug: `a${randomUUID()}` });
  const project = await addProject(database, account, { slug: 'p' });
  const hosts = [{ kind: 'domain' as const, value: 'example.com' }];
  return (await addConnector(database, { project, name: 'web', hosts })).connector.id;
}

/** Creates a session without an owner. */
export async function addTestSession(
  database: Database,
  connectorId: string,
  id: string = randomUUID(),
): Promise<string> {
  await createSession(database, {
    id,
    connectorId,
    identity: randomUUID(),
    platform: 'web',
    deviceType: 'mobile',
    streaming: true,
    language: 'en',
    contextId: randomUUID(),
    createdAtMs: 1_700_000_000_000,
    start: testEvent({ type: 'EVENT_TYPE_SESSION_START', payload: { capabilities: { streaming: true } } }),
  });
  return id;
}

/** Creates a session and claims it for `node`. */
export async function addOwnedSession(
  database: Database,
  connectorId: string,
  node = 'node-a',
): Promise<{ readonly sessionId: string; readonly epoch: number }> {
  const sessionId = await addTestSession(database, connectorId);
  return { sessionId, epoch: (await claimTestSession(database, sessionId, node)).ownerEpoch };
}

// In the year 2100.
const LATE_MS = Date.UTC(2100, 0);

/** The start of a recorded conversation. */
export const CONVERSATION_START = {
  atMs: 1,
  projectId: 'PROJECT-1',
  connectorId: null,
  variantId: '',
  variantName: '',
  environment: 'live',
  channel: 'WEBCHAT',
  language: 'en',
  fromNumber: '',
  toNumber: '',
  sharedId: null,
} as const;

let leasing: Promise<unknown> = Promise.resolve();

/**
 * The lease of a node; acquires it when the node has none, once for all who ask at the same time. It lasts until
 * `expireLease`, however slow the test is.
 */
export function testLease(database: Database, node: string): Promise<NodeLeaseKey> {
  const lease = leasing.then(() => findOrAcquireLease(database, node));
  leasing = lease.catch(() => {});
  return lease;
}

async function findOrAcquireLease(database: Database, node: string): Promise<NodeLeaseKey> {
  const [row] = await database.query<{ epoch: number }>('SELECT epoch FROM node_leases WHERE node = $1', [
    node,
  ]);
  if (row !== undefined) return { node, epoch: row.epoch };
  const lease = await acquireNodeLease(database, node);
  await database.query('UPDATE node_leases SET expires_at = $2 WHERE node = $1', [node, LATE_MS]);
  return lease;
}

/** Expires the lease of a node as if it no longer renewed it. */
export async function expireLease(database: Database, node: string): Promise<void> {
  await database.query('UPDATE node_leases SET expires_at = 0 WHERE node = $1', [node]);
}

/** Claims one session. */
export async function claimSession(
  database: Database,
  sessionId: string,
  lease: NodeLeaseKey,
  takeover: Takeover | null = null,
): Promise<ClaimResult> {
  const [result] = await claimSessions(database, lease, [{ sessionId, takeover }]);
  return result ?? { status: 'missing' };
}

/** Claims a session and fails when it cannot be claimed. */
export async function claimTestSession(
  database: Database,
  sessionId: string,
  node: string,
): Promise<StoredSession> {
  const claim = await claimSession(database, sessionId, await testLease(database, node));
  if (claim.status !== 'claimed') throw new Error(`the session is ${claim.status}`);
  return claim.session;
}
