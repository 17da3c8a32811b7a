import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { ClientOptions } from 'ws';
import { type AccessTokens, createAccessTokens } from '../../src/accounts/tokens/access-tokens.ts';
import type { Database } from '../../src/db/index.ts';
import type { HandoffProvider } from '../../src/handoff/session/handoff-provider.ts';
import { Scheduler } from '../../src/jobs/index.ts';
import type { Clock } from '../../src/kit/clock.ts';
import { type Bus, createInProcessBus, NO_PEERS, type Peers } from '../../src/realtime/bus/index.ts';
import type { ConnectorDirectory, MessagingConnector } from '../../src/realtime/conversation/connector.ts';
import { createActivityBuffer, createEventLog, type EventLog } from '../../src/realtime/event-log/index.ts';
import { SessionIds } from '../../src/realtime/gateway/session-ids.ts';
import type { VisitorData } from '../../src/realtime/gateway/visitor-data.ts';
import type { MessagingContext } from '../../src/realtime/messaging-context.ts';
import { DEFAULT_MESSAGING_LIMITS, type MessagingLimits } from '../../src/realtime/messaging-limits.ts';
import { createMessagingMetrics } from '../../src/realtime/metrics.ts';
import { NodeLease } from '../../src/realtime/sessions/node-lease.ts';
import { SessionManager } from '../../src/realtime/sessions/session-manager.ts';
import { type RunningMessaging, startMessaging } from '../../src/realtime/start-messaging.ts';
import type { TestEngine } from '../db/engines.ts';
import { createScriptedAgent, type ScriptedAgent } from './scripted-agent.ts';
import { createSkippingClock, type SkippingClock } from './skipping-clock.ts';
import { openTestSocket, type TestSocket } from './test-socket.ts';

/** Overrides of a test. */
export interface TestPlatformOptions {
  readonly limits?: Partial<MessagingLimits>;
  readonly connector?: Partial<MessagingConnector>;
  readonly handoffProviders?: readonly HandoffProvider[];
  readonly contextKeys?: ReadonlyMap<string, string>;
  /** Wraps the log, for tests of what happens around a commit. */
  readonly wrapLog?: (log: EventLog) => EventLog;
  /** Wraps the token service, for tests of what happens while a handshake is checked. */
  readonly wrapTokens?: (tokens: AccessTokens) => AccessTokens;
  /** Looks a connector up in place of the test's own. */
  readonly findByToken?: ConnectorDirectory['findByToken'];
  /** The platform does not have the agent that the project names. */
  readonly hasNoAgent?: boolean;
  /** Wraps the bus, for tests of one that loses messages. */
  readonly wrapBus?: (bus: Bus) => Bus;
  /** How often idle, abandoned and unused sessions are looked for. Default 1 s. */
  readonly sweepMs?: number;
  /** The other nodes; none unless given. */
  readonly peers?: Peers;
  /** Visitors' rights over their stored data. Default: none. */
  readonly visitorData?: (database: Database, clock: Clock, log: EventLog) => VisitorData;
}

/** A session as a client has it. */
export interface TestSession {
  readonly sessionId: string;
  readonly accessToken: string;
}

/** An HTTP answer. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The messaging side on a real port, with a scripted agent and a clock that can be put forward. */
export interface TestPlatform {
  readonly url: string;
  readonly clock: SkippingClock;
  readonly agent: ScriptedAgent;
  readonly database: Database;
  readonly log: EventLog;
  readonly tokens: AccessTokens;
  readonly messaging: RunningMessaging;
  /** The connector whose token is `connector-token`. */
  readonly connector: MessagingConnector;
  /** Reports to the operator. */
  readonly failures: readonly string[];
  /** Frames from clients by outcome. */
  readonly frames: ReadonlyMap<string, number>;
  /** Reports about the set-up to the operator. */
  readonly findings: readonly Readonly<Record<string, string>>[];
  /** Why frames were refused. */
  readonly faults: readonly string[];
  /** How many sockets were closed because their reader was too slow. */
  countSlowReaders(): number;
  post(path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<TestAnswer>;
  mintToken(): Promise<string>;
  startSession(body?: object): Promise<TestSession>;
  socketUrl(session: TestSession, cursor?: string): string;
  connect(session: TestSession, cursor?: string, options?: ClientOptions): Promise<TestSocket>;
  /** A session with the agent's greeting already there. */
  converse(body?: object): Promise<TestSession & { readonly socket: TestSocket }>;
  /** The answer to a handshake that is refused. */
  handshake(path: string, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  stop(): Promise<void>;
}

const GENEROUS: Partial<MessagingLimits> = {
  accessTokensPerMinute: 10_000,
  sessionsPerMinute: 10_000,
  frameBurst: 10_000,
  framesPerSecond: 10_000,
  shutdownJitterMs: 0,
};

/** Starts a platform on a fresh schema or folder of the engine. */
export async function startTestPlatform(
  engine: TestEngine,
  options: TestPlatformOptions = {},
): Promise<TestPlatform> {
  const place = await engine.open();
  const { database } = place;
  const clock = createSkippingClock();
  const agent = createScriptedAgent();
  const failures: string[] = [];
  const frames = new Map<string, number>();
  const faults: string[] = [];
  let slowReaders = 0;
  const findings: Readonly<Record<string, string>>[] = [];
  const connector = await insertConnector(database, {
    hasContext: options.contextKeys !== undefined,
    ...options.connector,
  });
  const log = options.wrapLog?.(createEventLog(database)) ?? createEventLog(database);
  const ownTokens = await createAccessTokens({
    secrets: [randomBytes(32)],
    issuer: 'natter',
    now: () => clock.now(),
  });
  const tokens = options.wrapTokens?.(ownTokens) ?? ownTokens;
  const context: MessagingContext = {
    database,
    log,
    activity: createActivityBuffer(database, { onError: (error) => failures.push(String(error)) }),
    bus: options.wrapBus?.(createInProcessBus()) ?? createInProcessBus(),
    peers: options.peers ?? NO_PEERS,
    clock,
    scheduler: new Scheduler({
      clock,
      random: () => 0,
      onFailure: (what, error) => failures.push([what, String(error)].join(': ')),
    }),
    limits: { ...DEFAULT_MESSAGING_LIMITS, ...GENEROUS, ...options.limits },
    lease: new NodeLease({ database, node: 'test' }),
    connectors: {
      findByToken: options.findByToken ?? (async (token) => (token === 'connector-token' ? connector : null)),
      findById: async (id) => (id === connector.id ? connector : null),
    },
    sessionIds: new SessionIds(),
    agentFor: () => (options.hasNoAgent ? null : agent),
    handoffProviders: options.handoffProviders ?? [],
    observer: {
      failed: (what, error, about) =>
        failures.push([what, String(error), about?.correlationId ?? []].flat().join(': ')),
      warned: (what) => failures.push(what),
      happened() {},
      erased() {},
      frameReceived: (outcome) => frames.set(outcome, (frames.get(outcome) ?? 0) + 1),
      frameRefused: (fault) => faults.push(fault),
      handshakeRefused() {},
      slowReaderClosed: () => {
        slowReaders += 1;
      },
      misconfigured: (about, message) => findings.push({ ...about, message }),
    },
  };
  const messaging = await startMessaging({
    context,
    manager: new SessionManager(context),
    tokens,
    metrics: createMessagingMetrics(log),
    contextKeysOf: async () => options.contextKeys ?? null,
    ...(options.visitorData && { visitorData: options.visitorData(database, clock, log) }),
    hostname: '127.0.0.1',
    port: 0,
    trustedProxyHops: 0,
    renewalMs: 3_000,
    sweepMs: options.sweepMs ?? 1_000,
  });
  const url = `http://127.0.0.1:${messaging.port}`;

  const platform: TestPlatform = {
    url,
    clock,
    agent,
    database,
    log,
    tokens,
    messaging,
    countSlowReaders: () => slowReaders,
    connector,
    failures,
    frames,
    faults,
    findings,
    async post(path, headers, body) {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers,
        ...(body !== undefined && { body }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) };
    },
    async mintToken() {
      const headers = { 'X-Token': 'connector-token', 'X-Host': 'example.com' };
      const { body } = await platform.post('/api/v1/access-token', headers, '{}');
      return String(body['access_token']);
    },
    async startSession(body = { streaming_enabled: true }) {
      const accessToken = await platform.mintToken();
      const headers = { Authorization: `Bearer ${accessToken}` };
      const answer = await platform.post('/api/v1/sessions', headers, JSON.stringify(body));
      return { sessionId: String(answer.body['session_id']), accessToken };
    },
    socketUrl({ sessionId, accessToken }, cursor) {
      const parameters = new URLSearchParams({ session_id: sessionId, access_token: accessToken });
      if (cursor !== undefined) parameters.set('cursor', cursor);
      return `ws://127.0.0.1:${messaging.port}/ws?${parameters}`;
    },
    connect: (session, cursor, socketOptions) =>
      openTestSocket(platform.socketUrl(session, cursor), socketOptions),
    async converse(body) {
      const session = await platform.startSession(body);
      const socket = await platform.connect(session);
      socket.send('REQUEST_AGENT_JOIN');
      await socket.next(isEndOfMessage);
      return { ...session, socket };
    },
    handshake: (path, headers = {}) => handshake(messaging.port, path, headers),
    async stop() {
      await messaging.close();
      await place.close();
    },
  };
  return platform;
}

/** The last event of an agent's message, streamed or not. */
export function isEndOfMessage({
  type,
  payload,
}: {
  type: string;
  payload: Readonly<Record<string, unknown>>;
}): boolean {
  return (
    type === 'EVENT_TYPE_AGENT_MESSAGE' ||
    (type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK' && payload['is_complete'] === true)
  );
}

async function insertConnector(
  database: Database,
  overrides: Partial<MessagingConnector> = {},
): Promise<MessagingConnector> {
  const connector: MessagingConnector = {
    id: randomUUID(),
    projectId: 'PROJECT-1',
    environment: 'live',
    agent: 'scripted',
    isRevoked: false,
    hosts: [{ kind: 'domain', value: 'example.com' }],
    enforceOrigin: true,
    eventVocabulary: 'auto',
    onHandoffFailure: 'rejoin',
    handoffTimeoutMs: 600_000,
    handoff: null,
    handoffRoute: null,
    variants: [],
    hasIdleWarning: false,
    hasSurvey: false,
    surveyScale: 'faces',
    hasReceipts: false,
    hasContext: false,
    language: 'en',
    ...overrides,
  };
  await database.query("INSERT INTO accounts (id, slug, name, created_at) VALUES ('ACCOUNT-1', 'a', 'A', 0)");
  await database.query(
    "INSERT INTO projects (id, account_id, slug, name, created_at) VALUES ('PROJECT-1', 'ACCOUNT-1', 'p', 'P', 0)",
  );
  await database.query(
    `INSERT INTO connectors (id, project_id, name, token_hash, token_hint, hosts, environment, created_at)
     VALUES ($1, 'PROJECT-1', 'c', 'hash', 'hint', '[]'::jsonb, 'live', 0)`,
    [connector.id],
  );
  return connector;
}

/** A handshake by hand: `WebSocket` clients hide the answer to one that is refused. */
function handshake(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      path,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
        ...headers,
      },
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: {} });
    });
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: headersOf(response),
          body: text === '' ? {} : JSON.parse(text),
        });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
