import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { createCredentials, findProjectById } from './accounts/index.ts';
import type { Agent } from './agents/index.ts';
import { createAccessTokens } from './auth/access-tokens.ts';
import { deriveSecret, type SecretPurpose } from './auth/derive-secret.ts';
import { createGuessLimiter } from './auth/guess-limiter.ts';
import { createSecretVault } from './auth/secret-vault.ts';
import { openBus, type SharedBus } from './bus/index.ts';
import { closePlatform } from './close-platform.ts';
import {
  type Added,
  type AddedConnector,
  type AddedKey,
  applyConfig,
  checkConfig,
  createConfiguredAgents,
  type DevelopmentAccount,
  findTranslations,
  loadConfig,
  openConfiguredDatabase,
  type PlatformConfig,
  prepareFirstStart,
  readTokenSecrets,
} from './config/index.ts';
import {
  createActivityBuffer,
  createEventLog,
  type Database,
  hasEmbeddedDatabase,
  LEASE_RENEWAL_MS,
} from './db/index.ts';
import { createHandoffProviders } from './handoff/create-handoff-providers.ts';
import { OpenHandoffs } from './handoff/open-handoffs.ts';
import { startMetricsServer } from './http/start-metrics-server.ts';
import { createLogger } from './logger.ts';
import { type Clock, systemClock } from './messaging/clock.ts';
import type { MessagingConnector } from './messaging/connector.ts';
import { createConnectorDirectory } from './messaging/connector-directory.ts';
import type { HandoffProvider } from './messaging/handoff-provider.ts';
import type { MessagingLimits } from './messaging/messaging-limits.ts';
import { createMessagingMetrics } from './messaging/metrics.ts';
import { NodeLease } from './messaging/node-lease.ts';
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
  /**
   * Adds the development account to an embedded database without accounts also when the database is not new. On
   * PostgreSQL it adds nothing. Default false.
   */
  readonly isDevelopment?: boolean;
  /**
   * Secret that all keys are derived from, at least 32 bytes; the same on every node. `databaseUrl` needs one. Default:
   * made on the first start and kept in the data folder.
   */
  readonly tokenSecret?: string;
  readonly handoffProviders?: readonly HandoffProvider[];
  /** Where `GET /metrics` is served, besides what the configuration says. Default: nowhere. */
  readonly metrics?: Partial<PlatformConfig['metrics']>;
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
  /** Address of the metrics page on a port of its own; null: it has none. */
  readonly metricsUrl: string | null;
  /** Connectors this start has added, with the only sight of their tokens. */
  readonly addedConnectors: readonly AddedConnector[];
  /** API keys this start has added, with the only sight of them. */
  readonly addedKeys: readonly AddedKey[];
  /** The connector of the development account that this start has added, for pages on localhost; null: it added none. */
  readonly developmentConnector: { readonly token: string; readonly host: string } | null;
  /** Ends every open session of this process as abandoned, and gives their number. For tests and demonstrations. */
  expireSessions(): Promise<number>;
  /**
   * Shuts down: no new work, turns finished within `limits.shutdownGraceMs`, sockets closed, sessions released, then the
   * database closed. Every step runs, whatever became of the one before; failures go to the log, and the promise never
   * rejects. May be called twice.
   */
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
  checkConfig(config);
  const { url, dataDir } = config.database;
  const isNewFolder = url === null && !hasEmbeddedDatabase(dataDir);
  const database = await openConfiguredDatabase(config, options.onProgress);
  try {
    const applied = await applyConfig(database, config.accounts);
    const { isDevelopment = false, onProgress: tell = () => undefined } = options;
    const seeded = await prepareFirstStart(database, { isNewFolder, isDevelopment, tell });
    return await startOn(database, config, options, applied, seeded);
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
    metrics: { ...config.metrics, ...options.metrics },
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
  const deriveKey: DeriveKey = (purpose) => deriveSecret(secret, purpose);
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

type DeriveKey = (purpose: SecretPurpose) => Uint8Array;

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
  const agents = await createConfiguredAgents(config, options.agents);
  const tokens = await createAccessTokens({
    // Versions before this one signed with the secret itself: those tokens are accepted until they expire.
    secrets: [...secrets.map((secret) => deriveSecret(secret, 'accessTokens')), ...secrets],
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
    translations: await findTranslations(database, config.accounts),
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
    countRemoved: metrics.rowsRemoved,
    tellAgent: (sessionId) => tellAgent(sessionId),
    openHandoffs,
    wakeSession: (sessionId) => wakeSession(sessionId),
    onFailure,
  });
  const inFlight = new InFlight();
  const guesses = createGuessLimiter({ clock, limit: limits.wrongCredentialsPerMinute });
  const credentials = createCredentials(database);
  const rest = createRestApp({
    database,
    credentials,
    clock,
    guesses,
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
        // A tenth of what it decides about.
        delayMs: limits.inactivityMs / 10,
        onError: (error) => observer.failed('note activity', error),
      }),
      bus,
      peers,
      clock,
      limits,
      lease: new NodeLease({ database, node }),
      connectors: createConnectorDirectory(database, credentials),
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
    guesses,
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
    metricsToken: config.metrics.token,
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
  const metricsServer = await startMetricsServer(config.metrics, messaging.metricsPage).catch(
    async (error: unknown) => {
      await messaging.close();
      throw error;
    },
  );
  let closing: Promise<void> | null = null;
  return {
    metricsUrl: metricsServer?.url ?? null,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${messaging.port}`,
    port: messaging.port,
    addedConnectors: [...applied.connectors, ...(seeded === null ? [] : [seeded.connector])],
    addedKeys: [...applied.keys, ...(seeded?.keys ?? [])],
    developmentConnector: seeded === null ? null : { token: seeded.connector.token, host: 'localhost' },
    expireSessions: () => messaging.registry.expireAll(),
    close() {
      closing ??= closePlatform({ messaging, metricsServer, families, bus, database, onFailure });
      return closing;
    },
  };
}

// Often enough that a session nobody watches expires at most this late.
const SWEEP_MS = 5_000;

/**
 * Who owns this process's sessions. The embedded database lets one process in at a time, so its sessions are ours at
 * once after a crash; on a shared server a lease must run out first.
 */
function nodeName({ engine }: Database): string {
  return engine === 'pglite' ? 'embedded' : `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}
