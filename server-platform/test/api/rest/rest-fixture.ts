import { createHash, randomBytes } from 'node:crypto';
import {
  type Account,
  addAccount,
  addApiKey,
  addConnector,
  addProject,
  type Connector,
  type NewApiKey,
  type Project,
} from '../../../src/accounts/index.ts';
import { createAuthFailureLimiter } from '../../../src/accounts/tokens/auth-failure-limiter.ts';
import { createSecretVault } from '../../../src/accounts/tokens/secret-vault.ts';
import { type Agent, type AgentSource, createTurnShares } from '../../../src/agents/index.ts';
import { ProjectAgents } from '../../../src/agents/projects/index.ts';
import { createRestApp, refuseWithoutRegion } from '../../../src/api/rest/create-rest-app.ts';
import type { RestRoute } from '../../../src/api/rest/rest-route.ts';
import type { RestFamily } from '../../../src/api/rest/rest-services.ts';
import { createSearchShares } from '../../../src/api/rest/search-shares.ts';
import { DEFAULT_REST_CONFIG, type RestConfig } from '../../../src/app/config/rest-config.ts';
import type { FamilyServices } from '../../../src/app/families.ts';
import type { Database } from '../../../src/db/index.ts';
import { OpenHandoffs } from '../../../src/handoff/providers/open-handoffs.ts';
import { Scheduler } from '../../../src/jobs/index.ts';
import { createPlatformApp } from '../../../src/kit/http/platform-app.ts';
import { createInProcessBus, NO_PEERS } from '../../../src/realtime/bus/index.ts';
import { createEventLog } from '../../../src/realtime/event-log/index.ts';
import { FigureRecorder } from '../../../src/realtime/index.ts';
import { DEFAULT_MESSAGING_LIMITS } from '../../../src/realtime/messaging-limits.ts';
import { createPersonCalls } from '../../../src/staff/person-calls.ts';
import { EMBEDDED_ENGINE, type TestDatabase, type TestEngine } from '../../db/engines.ts';
import { createSkippingClock, type SkippingClock } from '../../realtime/skipping-clock.ts';
import { findAnswerFaults, findOperation } from './find-answer-faults.ts';

/** Overrides of a test. */
export interface RestFixtureOptions {
  readonly engine?: TestEngine;
  readonly settings?: Partial<RestConfig>;
  readonly agents?: ReadonlyMap<string, Agent>;
  /** Agents whose articles can be edited. */
  readonly agentSources?: ReadonlyMap<string, AgentSource>;
  /** The families to serve. */
  readonly families?: (services: FamilyServices) => Promise<readonly RestFamily[]> | readonly RestFamily[];
  readonly notifyAgent?: FamilyServices['notifyAgent'];
  readonly dataDir?: string;
  /** Routes of the test's own. */
  readonly routes?: readonly RestRoute[];
  /** Whether every answer of `call` must be what its operation promises. Default: unless it writes vendor names. */
  readonly isChecked?: boolean;
}

/** An answer, its JSON read. */
export interface RestTestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `{}` for an answer that is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Parts of a request. Without `key` none is sent. */
export interface RestTestRequest {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects go as JSON, with its content type; texts and bytes as they are. */
  readonly body?: object | string | Uint8Array<ArrayBuffer>;
  /** Aborts when the caller leaves. */
  readonly signal?: AbortSignal;
}

/** Names of every fixture's keys; each has only the permissions in its name. */
export type FixtureKey =
  | 'runtime'
  | 'monitoring'
  | 'legacy'
  | 'externalEvents'
  | 'dni'
  | 'everyProject'
  | 'everyAccount';

/** The REST side over a fresh database: account `acme`, project `shop`, a connector, keys. No port is opened. */
export interface RestFixture {
  readonly database: Database;
  readonly clock: SkippingClock;
  readonly services: FamilyServices;
  readonly account: Account;
  readonly project: Project;
  readonly connector: Connector;
  readonly connectorToken: string;
  /** `runtime`: project; `monitoring`, `legacy`, `everyProject`: account; `everyAccount`: everything. */
  readonly keys: Readonly<Record<FixtureKey, string>>;
  /** Lines of the operator's log. */
  readonly failures: readonly string[];
  readonly notes: readonly Readonly<Record<string, unknown>>[];
  /** Counted removals: the reason, and rows by table. */
  readonly removed: readonly Readonly<Record<string, unknown>>[];
  /** Adds a key and resolves with its text. Default: this account. */
  addKey(entry: Partial<NewApiKey> & Pick<NewApiKey, 'permissions'>): Promise<string>;
  /** `call('GET /v1/acme/shop/conversations', { key: keys.runtime })` */
  call(methodAndPath: string, request?: RestTestRequest): Promise<RestTestAnswer>;
  /** The raw answer, for streams and files. */
  fetch(methodAndPath: string, request?: RestTestRequest): Promise<Response>;
  stop(): Promise<void>;
}

const RUNTIME = ['conversations', 'analytics', 'handoff', 'chat'];

/**
 * Serves families over a fresh database of the engine, by default the embedded one.
 *
 * @example
 * const rest = await startRestFixture({ families: (services) => [createChatFamily(services)] });
 * const { status } = await rest.call('GET /v1/acme/shop/handoff_state', { key: rest.keys.runtime });
 * await rest.stop();
 */
export async function startRestFixture(options: RestFixtureOptions = {}): Promise<RestFixture> {
  const place = await (options.engine ?? EMBEDDED_ENGINE).open();
  const { database } = place;
  const clock = createSkippingClock();
  const settings = { ...DEFAULT_REST_CONFIG, ...options.settings };
  const failures: string[] = [];
  const notes: Readonly<Record<string, unknown>>[] = [];
  const removed: Readonly<Record<string, unknown>>[] = [];
  const onFailure = (what: string, error: unknown): void => {
    failures.push(`${what}: ${String(error)}`);
  };
  const projectAgents = new ProjectAgents({
    database,
    fixed: options.agents ?? new Map(),
    sources: options.agentSources ?? new Map(),
    turnInShare: createTurnShares(DEFAULT_MESSAGING_LIMITS.agentTurnsAtOnce),
    onFailure,
  });
  const services: FamilyServices = {
    projectAgents,
    database,
    clock,
    scheduler: new Scheduler({ clock, random: () => 0, onFailure }),
    settings,
    node: 'test',
    timeouts: DEFAULT_MESSAGING_LIMITS,
    historyBytes: DEFAULT_MESSAGING_LIMITS.historyBytes,
    sessionBytes: DEFAULT_MESSAGING_LIMITS.sessionBytes,
    vault: createSecretVault([randomBytes(32)]),
    translations: new Map(),
    findAgent: (name, projectId) => projectAgents.find(name, projectId),
    openHandoffs: new OpenHandoffs(),
    desk: null,
    oidc: null,
    console: null,
    personCalls: createPersonCalls(clock),
    personStreams: new Set(),
    searchInShare: createSearchShares(),
    bus: createInProcessBus(),
    log: createEventLog(database),
    figures: new FigureRecorder({ queuedRows: 0 }),
    readTraces: async () => ({ nodes: [], whyNone: null }),
    ensureSessionLoaded: async () => ({ status: 'here' }),
    peers: NO_PEERS,
    dataDir: options.dataDir ?? 'memory',
    deriveKey: (purpose) => createHash('sha256').update(purpose).digest(),
    note: (what, fields) => notes.push({ what, ...fields }),
    countWebhook: () => {},
    countSlowReader: () => {},
    countRemoved: (why, counts) => removed.push({ why, ...counts }),
    notifyAgent: options.notifyAgent ?? (() => {}),
    onFailure,
  };
  const families = (await options.families?.(services)) ?? [];
  const routes = [...families.flatMap((family) => family.routes), ...(options.routes ?? [])];
  const guesses = createAuthFailureLimiter({
    clock,
    limit: DEFAULT_MESSAGING_LIMITS.wrongCredentialsPerMinute,
  });
  const pages = Object.assign({}, ...families.map((family) => family.pages ?? {}));
  const app = createPlatformApp({
    routes: { '/': createRestApp({ database, clock, settings, routes, onFailure, guesses }), ...pages },
    trustedProxyHops: 0,
    isReady: async () => true,
    refuse: (request, correlationId) => refuseWithoutRegion(settings, request, correlationId),
    onFailure,
  });
  const accounts = await addFixtureAccounts(place, clock.now());
  const fetch: RestFixture['fetch'] = async (methodAndPath, request = {}) => {
    const [method = 'GET', path = '/'] = methodAndPath.split(' ');
    return await app.fetch(toRequest(method, path, request));
  };
  return {
    database,
    clock,
    services,
    failures,
    notes,
    removed,
    ...accounts,
    fetch,
    async addKey(entry) {
      const name = `key-${clock.now()}-${Math.random()}`;
      const added = await addApiKey(database, { name, account: accounts.account, ...entry }, clock.now());
      return added.key;
    },
    async call(methodAndPath, request) {
      const answer = await fetch(methodAndPath, request);
      const text = await answer.text();
      const observed = { status: answer.status, headers: answer.headers, text, body: readObject(text) };
      if (options.isChecked ?? settings.vendorNames === false) checkAnswer(methodAndPath, observed);
      return observed;
    },
    async stop() {
      for (const family of families) await family.close?.();
      await place.close();
    },
  };
}

async function addFixtureAccounts(
  { database }: TestDatabase,
  nowMs: number,
): Promise<Pick<RestFixture, 'account' | 'project' | 'connector' | 'connectorToken' | 'keys'>> {
  const account = await addAccount(database, { slug: 'acme' }, nowMs);
  const project = await addProject(database, account, { slug: 'shop', agent: 'ada' }, nowMs);
  const hosts = [{ kind: 'domain' as const, value: 'example.com' }];
  const { connector, token } = await addConnector(database, { project, name: 'web', hosts }, nowMs);
  const add = async (name: string, entry: Omit<NewApiKey, 'name'>): Promise<string> =>
    (await addApiKey(database, { name, ...entry }, nowMs)).key;
  return {
    account,
    project,
    connector,
    connectorToken: token,
    keys: {
      runtime: await add('runtime', { account, project, permissions: RUNTIME }),
      monitoring: await add('monitoring', { account, permissions: ['monitoring', 'conversations'] }),
      legacy: await add('legacy', { account, permissions: ['conversations'], isLegacy: true }),
      externalEvents: await add('events', { account, project, permissions: ['external_events'] }),
      dni: await add('dni', { account, project, permissions: ['dni'] }),
      everyProject: await add('every-project', { account, permissions: RUNTIME }),
      everyAccount: await add('every-account', { account: null, permissions: RUNTIME }),
    },
  };
}

/** Fails when an answer does not fit the schema of its operation. */
function checkAnswer(methodAndPath: string, answer: RestTestAnswer): void {
  const [method = '', path = ''] = methodAndPath.split(' ');
  const operation = findOperation(method, path);
  const faults = operation === null ? [] : findAnswerFaults(operation, answer);
  if (faults.length > 0) throw new Error(`${methodAndPath}: ${faults.join('; ')}: ${answer.text}`);
}

function toRequest(
  method: string,
  path: string,
  { key, headers: given = {}, body, signal }: RestTestRequest,
): Request {
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const headers = new Headers(given);
  if (body !== undefined && raw !== body && !headers.has('content-type'))
    headers.set('content-type', 'application/json');
  if (key !== undefined) headers.set('x-api-key', key);
  const url = `http://platform.test${path}`;
  return new Request(url, {
    method,
    headers,
    ...(body !== undefined && { body: raw }),
    ...(signal && { signal }),
  });
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
