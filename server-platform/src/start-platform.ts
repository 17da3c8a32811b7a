import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { findProjectById } from './accounts/index.ts';
import { type Agent, createAgent } from './agents/index.ts';
import { createAccessTokens } from './auth/access-tokens.ts';
import { createSecretVault } from './auth/secret-vault.ts';
import { loadOrCreateTokenSecret, tokenSecretFromText } from './auth/token-secret.ts';
import { openBus, type SharedBus } from './bus/index.ts';
import { ConfigError, type ConfigProblem } from './config/config-error.ts';
import {
  type Added,
  type AddedConnector,
  type AddedKey,
  applyConfig,
  type DevelopmentAccount,
  loadConfig,
  openConfiguredDatabase,
  type PlatformConfig,
  seedDevelopment,
} from './config/index.ts';
import {
  createActivityBuffer,
  createEventLog,
  type Database,
  LEASE_MS,
  LEASE_RENEWAL_MS,
} from './db/index.ts';
import { createHandoffProviders } from './handoff/create-handoff-providers.ts';
import { OpenHandoffs } from './handoff/open-handoffs.ts';
import { createLogger } from './logger.ts';
import { type Clock, systemClock } from './messaging/clock.ts';
import type { MessagingConnector } from './messaging/connector.ts';
import { createConnectorDirectory } from './messaging/connector-directory.ts';
import type { HandoffProvider } from './messaging/handoff-provider.ts';
import type { MessagingLimits } from './messaging/messaging-limits.ts';
import { createMessagingMetrics } from './messaging/metrics.ts';
import { createObserver } from './messaging/observe.ts';
import type { SessionPlace } from './messaging/session-registry.ts';
import { startMessaging } from './messaging/start-messaging.ts';
import { createOpenApiRoutes } from './openapi/openapi-routes.ts';
import { createRestApp, refuseWithoutRegion } from './rest/create-rest-app.ts';
import { startFamilies } from './rest/families.ts';
import { InFlight } from './rest/in-flight.ts';

/** What a platform is started with. Whatever is left out comes from `config`, and what that leaves out from the defaults. */
export interface PlatformOptions {
  /** A configuration read by `loadConfig`. Default: the defaults, environment and files not looked at. */
  readonly config?: PlatformConfig;
  readonly host?: string;
  /** 0: any free port. */
  readonly port?: number;
  /** Folder of the embedded database; `'memory'` keeps nothing. */
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  /** How several nodes on one `databaseUrl` reach each other: `nats://…`, or `postgres://…`. Default: `databaseUrl`. */
  readonly busUrl?: string;
  /** Accounts to add or bring up to date, besides those of the configuration. */
  readonly accounts?: PlatformConfig['accounts'];
  /** Agents by name, besides those of the configuration. */
  readonly agents?: ReadonlyMap<string, Agent>;
  readonly limits?: Partial<MessagingLimits>;
  /** Secret of access tokens, at least 32 bytes. Default: made on the first start and kept in the data folder. */
  readonly tokenSecret?: string;
  readonly handoffProviders?: readonly HandoffProvider[];
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** One line per step of a slow start. */
  readonly onProgress?: (line: string) => void;
}

/** A running platform. */
export interface Platform {
  /** `http://host:port`; the socket is at the same host, path `/ws`. */
  readonly url: string;
  readonly port: number;
  /** Connectors this start has added, with the only sight of their tokens. */
  readonly addedConnectors: readonly AddedConnector[];
  /** API keys this start has added, with the only sight of them. */
  readonly addedKeys: readonly AddedKey[];
  /** The connector for pages on localhost; null when the database had accounts already. */
  readonly developmentConnector: { readonly token: string; readonly host: string } | null;
  /** Ends every open session of this process as abandoned, and gives their number. For tests and demonstrations. */
  expireSessions(): Promise<number>;
  /** Shuts down as described under "Shutdown". May be called twice. */
  close(): Promise<void>;
}

/**
 * Starts a platform: database, agents, sessions, HTTP and sockets on one port.
 *
 * Fails with a `DatabaseError` or a `ConfigError`; what was opened until then is closed again.
 *
 * @example
 * const platform = await startPlatform({ dataDir: 'memory', port: 0 });
 * const { token, host } = platform.developmentConnector;
 * await platform.close();
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const config = complete(options.config ?? (await loadConfig({}, {})), options);
  if (config.busUrl !== null && config.database.url === null)
    throw new ConfigError('the configuration', [
      {
        field: 'NATTER_BUS_URL',
        message: 'is for several nodes, which need DATABASE_URL: the embedded database has one',
      },
    ]);
  const database = await openConfiguredDatabase(config, options.onProgress);
  try {
    const applied = await applyConfig(database, config.accounts);
    return await startOn(database, config, options, applied, await seedDevelopment(database));
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The configuration with what the caller says put over it. */
function complete(config: PlatformConfig, options: PlatformOptions): PlatformConfig {
  const { databaseUrl, dataDir, tokenSecret } = options;
  const url = databaseUrl ?? (dataDir === undefined ? config.database.url : null);
  return {
    ...config,
    host: options.host ?? config.host,
    port: options.port ?? config.port,
    database: { ...config.database, url, dataDir: dataDir ?? config.database.dataDir },
    busUrl: options.busUrl ?? config.busUrl ?? url,
    tokenSecrets: tokenSecret === undefined ? config.tokenSecrets : [tokenSecret],
    accounts: [...config.accounts, ...(options.accounts ?? [])],
    limits: { ...config.limits, ...options.limits },
  };
}

async function startOn(
  database: Database,
  config: PlatformConfig,
  options: PlatformOptions,
  applied: Added,
  seeded: DevelopmentAccount | null,
): Promise<Platform> {
  const logger = options.logger ?? createLogger(config.logLevel);
  const secrets = await readTokenSecrets(config);
  const [secret = randomBytes(32)] = secrets;
  const deriveKey: DeriveKey = (purpose) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `natter ${purpose}`, 32));
  const node = nodeName(database);
  const shared = await openBus({
    url: config.busUrl,
    space: Buffer.from(deriveKey('bus')).toString('hex').slice(0, 32),
    node,
    // The network does not wait for a clock that a test holds.
    clock: systemClock,
    onFailure: (what, error) => logger.error({ err: error }, `could not ${what}`),
  });
  try {
    return await serve(database, config, options, {
      ...shared,
      logger,
      secrets,
      deriveKey,
      node,
      applied,
      seeded,
    });
  } catch (error) {
    await shared.bus.close();
    throw error;
  }
}

type DeriveKey = (purpose: string) => Uint8Array;

/** What serving starts from, besides database and configuration. */
interface Ground extends SharedBus {
  readonly logger: Logger;
  readonly secrets: readonly Uint8Array[];
  readonly deriveKey: DeriveKey;
  readonly node: string;
  readonly applied: Added;
  readonly seeded: DevelopmentAccount | null;
}

async function serve(
  database: Database,
  config: PlatformConfig,
  options: PlatformOptions,
  { bus, peers, logger, secrets, deriveKey, node, applied, seeded }: Ground,
): Promise<Platform> {
  const { host, limits } = config;
  const clock = options.clock ?? systemClock;
  const agents = await createAgents(config, options.agents);
  const tokens = await createAccessTokens({
    secrets,
    issuer: 'natter',
    now: () => clock.now(),
    lifetimeSeconds: limits.tokenLifetimeSeconds,
  });
  const log = createEventLog(database);
  const gauges = { sockets: (): number => 0, sessions: (): number => 0 };
  const metrics = createMessagingMetrics({
    sockets: () => gauges.sockets(),
    sessions: () => gauges.sessions(),
    queuedRows: () => log.queuedRows,
  });
  const observer = createObserver(logger, metrics);
  const onFailure = (what: string, error: unknown, correlationId?: string): void =>
    observer.failed(what, error, correlationId === undefined ? {} : { correlationId });
  // Sessions are there once messaging has started, and nothing is served before.
  let tellAgent = (_sessionId: string): void => {};
  let wakeSession = async (_sessionId: string): Promise<SessionPlace> => ({
    status: 'elsewhere',
    owner: null,
  });
  const openHandoffs = new OpenHandoffs();
  const families = await startFamilies({
    database,
    clock,
    settings: config.rest,
    node,
    patience: limits,
    vault: createSecretVault(secrets),
    findAgent: (name) => agents.get(name) ?? null,
    dataDir: config.database.dataDir,
    deriveKey,
    peers,
    note: (what, facts) => logger.info(facts, what),
    tellAgent: (sessionId) => tellAgent(sessionId),
    openHandoffs,
    wakeSession: (sessionId) => wakeSession(sessionId),
    onFailure,
  });
  const inFlight = new InFlight();
  const rest = createRestApp({
    database,
    clock,
    settings: config.rest,
    routes: families.flatMap(({ routes }) => routes),
    onFailure,
    inFlight,
  });
  for (const [path, page] of families.flatMap(({ pages = {} }) => Object.entries(pages)))
    rest.route(path, page);
  const messaging = await startMessaging({
    services: {
      database,
      log,
      activity: createActivityBuffer(database, {
        onError: (error) => observer.failed('note activity', error),
      }),
      bus,
      peers,
      clock,
      limits,
      node,
      leaseMs: LEASE_MS,
      connectors: createConnectorDirectory(database),
      agentFor: ({ agent }: MessagingConnector) => (agent === null ? null : (agents.get(agent) ?? null)),
      handoffProviders: [
        ...(options.handoffProviders ?? []),
        ...createHandoffProviders({
          configs: config.handoffProviders,
          open: openHandoffs,
          clock,
          headerStyle: config.rest.webhookHeaderStyle,
          onFailure,
        }),
      ],
      observer,
    },
    tokens,
    createMetrics(sources) {
      Object.assign(gauges, sources);
      return metrics;
    },
    async contextKeysOf(projectId) {
      const keys = (await findProjectById(database, projectId))?.contextKeys;
      return keys === undefined || keys.size === 0 ? null : keys;
    },
    hostname: host,
    port: config.port,
    trustedProxyHops: config.trustedProxyHops,
    renewalMs: LEASE_RENEWAL_MS,
    sweepMs: SWEEP_MS,
    routes: { '/': rest.route('/', createOpenApiRoutes(config.rest)) },
    finishRequests: (graceMs) => inFlight.finish(clock, graceMs),
    refuse: (request, correlationId) => refuseWithoutRegion(config.rest, request, correlationId),
  });
  wakeSession = (sessionId) => messaging.registry.wake(sessionId);
  tellAgent = (sessionId) =>
    void messaging.registry
      .tellAgent(sessionId)
      .catch((error: unknown) => observer.failed('tell the agent what it waited for', error, { sessionId }));
  let closing: Promise<void> | null = null;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${messaging.port}`,
    port: messaging.port,
    addedConnectors: [...applied.connectors, ...(seeded === null ? [] : [seeded.connector])],
    addedKeys: [...applied.keys, ...(seeded?.keys ?? [])],
    developmentConnector: seeded === null ? null : { token: seeded.connector.token, host: 'localhost' },
    expireSessions: () => messaging.registry.expireAll(),
    close() {
      closing ??= messaging.close().then(async () => {
        await Promise.all(families.map((family) => family.close?.()));
        await bus.close();
        await database.close();
      });
      return closing;
    },
  };
}

// Often enough that a session nobody watches expires at most this late.
const SWEEP_MS = 5_000;

async function createAgents(
  config: PlatformConfig,
  given: ReadonlyMap<string, Agent> = new Map(),
): Promise<ReadonlyMap<string, Agent>> {
  const agents = new Map(given);
  const problems: ConfigProblem[] = [];
  for (const [name, agentConfig] of config.agents) {
    if (agents.has(name)) continue;
    try {
      agents.set(name, await createAgent(agentConfig));
    } catch (error) {
      // The configuration is checked when it is read; what is left are articles that are not there or not well.
      problems.push({
        field: `agents.${name}`,
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
  if (problems.length > 0) throw new ConfigError('the configuration', problems);
  return agents;
}

async function readTokenSecrets({ tokenSecrets, database }: PlatformConfig): Promise<readonly Uint8Array[]> {
  if (tokenSecrets.length > 0) return tokenSecrets.map(tokenSecretFromText);
  if (database.dataDir === 'memory') return [randomBytes(48)];
  return [await loadOrCreateTokenSecret(join(database.dataDir, 'token-secret'))];
}

/**
 * Who owns this process's sessions. The embedded database lets one process in at a time, so its sessions are ours at
 * once after a crash; on a shared server a lease must run out first.
 */
function nodeName({ engine }: Database): string {
  return engine === 'pglite' ? 'embedded' : `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}
