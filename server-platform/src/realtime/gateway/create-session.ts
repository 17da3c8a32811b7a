import { randomBytes, randomInt } from 'node:crypto';
import { TraceContext } from '@natter/server-kit/trace-context';
import { EXTENSIONS, RECEIPTS } from 'natter/protocol';
import { verifyContextToken } from '../../accounts/tokens/index.ts';
import { createEventId } from '../../db/ids/index.ts';
import { BatchLoader, DatabaseError } from '../../db/index.ts';
import { chooseVariant, type MessagingConnector } from '../conversation/index.ts';
import {
  createSessions,
  type EventLog,
  loadSession,
  MAX_QUEUED_ROWS,
  type NewSession,
  type StoredSession,
  setContextVault,
} from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import type { MessagingLimits } from '../messaging-limits.ts';
import type { NodeRpc } from '../sessions/node-rpc.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { SessionIds } from './session-ids.ts';
import type { SessionRequest } from './session-request.ts';
import type { ContextOutcome, SetupOptions } from './setup-requests.ts';

/** Session operations of the setup routes. */
export type SessionOperations = Pick<
  SetupOptions,
  'createSession' | 'findSession' | 'findStoredSession' | 'submitContext'
>;

type SessionOwner = Parameters<SetupOptions['createSession']>[1];

// Resolution of the random number that chooses a variant; finer than any weights.
const SHARES = 2 ** 32;
// Sessions created per statement.
const CREATIONS_AT_ONCE = 100;

/** The store, and the sessions loaded on this node. */
interface SessionServices {
  readonly context: Pick<MessagingContext, 'database' | 'clock' | 'limits' | 'connectors'> & {
    readonly sessionIds: Pick<SessionIds, 'create'>;
    readonly log: Pick<EventLog, 'queuedRows'>;
  };
  readonly manager: Pick<SessionManager, 'get'> & { readonly rpc: Pick<NodeRpc, 'notifyOwner'> };
  readonly contextKeysOf: (projectId: string) => Promise<ReadonlyMap<string, string> | null>;
}

/** Implements the operations of section 3 with the store and the sessions loaded on this node. */
export function createSessionOperations(services: SessionServices): SessionOperations {
  const { database } = services.context;
  // With one statement per session, messages of open conversations would queue behind all of them.
  const creations = new BatchLoader<NewSession, string>({
    read: (sessions) => createSessions(database, sessions),
    maxKeys: CREATIONS_AT_ONCE,
  });
  return {
    createSession: (request, owner) => createSession(services, creations, request, owner),
    findSession: (sessionId) => findOpenSession(services, sessionId),
    findStoredSession: (sessionId) => loadSession(database, sessionId),
    submitContext: (sessionId, token) => submitContext(services, sessionId, token),
  };
}

/** Source: SES-1, SES-2, VCI-1, section 10. */
async function createSession(
  { context: { log, clock, limits, sessionIds } }: SessionServices,
  creations: BatchLoader<NewSession, string>,
  request: SessionRequest,
  { identity, connector }: SessionOwner,
): Promise<string> {
  // New sessions add events, so under load existing conversations take precedence.
  if (log.queuedRows >= MAX_QUEUED_ROWS) {
    throw new DatabaseError('overloaded', 'Too many events wait to be written for another session.');
  }
  const nowMs = clock.now();
  const id = sessionIds.create(connector.projectId, nowMs);
  const variant = chooseVariant(connector.variants, request.variantId, randomInt(SHARES) / SHARES);
  const session = toNewSession(
    request,
    { id, identity, connector, variantId: variant?.id ?? '' },
    nowMs,
    limits,
  );
  return await creations.get(session);
}

/** Returns a session that still accepts input; null when it is unknown, ended or expired. */
async function findOpenSession(
  { context: { database, clock, limits }, manager }: SessionServices,
  sessionId: string,
): Promise<StoredSession | null> {
  const session = await loadSession(database, sessionId);
  if (session === null || session.endedAtMs !== null) return null;
  const lastActivityMs = Math.max(session.lastActivityMs, manager.get(sessionId)?.lastActivityMs ?? 0);
  return clock.now() - lastActivityMs < limits.inactivityMs ? session : null;
}

/** Source: 3.6, VCI-8, VCI-11. */
async function submitContext(
  services: SessionServices,
  sessionId: string,
  token: string,
): Promise<ContextOutcome> {
  const { context, manager, contextKeysOf } = services;
  const session = await findOpenSession(services, sessionId);
  const connector = session === null ? null : await context.connectors.findById(session.connectorId);
  const keys = connector === null ? null : await contextKeysOf(connector.projectId);
  if (session === null || keys === null) return 'not_enabled';
  const verdict = await verifyContextToken(token, {
    contextId: session.contextId,
    keys,
    nowSeconds: context.clock.now() / 1000,
  });
  if (verdict.kind !== 'accepted') return verdict.kind;
  await setContextVault(context.database, sessionId, verdict.context);
  manager.get(sessionId)?.setContextVault(verdict.context);
  await manager.rpc.notifyOwner(sessionId, 'context');
  return 'stored';
}

/** Builds the row and the SESSION_START of a requested session. */
function toNewSession(
  { isStreaming, platform, deviceType }: SessionRequest,
  {
    connector,
    ...owner
  }: Pick<NewSession, 'id' | 'identity' | 'variantId'> & {
    readonly connector: Pick<MessagingConnector, 'id' | 'hasReceipts' | 'hasContext'>;
  },
  nowMs: number,
  limits: MessagingLimits,
): NewSession {
  const contextId = `ctx_${randomBytes(24).toString('base64url')}`;
  const payload = {
    capabilities: {
      streaming: isStreaming,
      max_message_size_bytes: limits.maxFrameBytes,
      max_reconnect_attempts: limits.maxReconnectAttempts,
      heartbeat_interval_seconds: limits.heartbeatIntervalSeconds,
      extensions: connector.hasReceipts ? [...EXTENSIONS, RECEIPTS] : EXTENSIONS,
    },
    ...(connector.hasContext && { context_id: contextId }),
  };
  return {
    ...owner,
    connectorId: connector.id,
    platform,
    deviceType,
    streaming: isStreaming,
    language: null,
    contextId,
    createdAtMs: nowMs,
    traceParent: TraceContext.current().traceParent,
    start: {
      id: createEventId(nowMs),
      type: 'EVENT_TYPE_SESSION_START',
      payload,
      custom: null,
      timestampMs: nowMs,
    },
  };
}
