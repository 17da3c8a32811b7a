import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { createCredentials, findProjectById } from '../accounts/index.ts';
import {
  createAccessTokens,
  createAuthFailureLimiter,
  createSecretVault,
  deriveSecret,
  type SecretPurpose,
} from '../accounts/tokens/index.ts';
import { createTurnShares } from '../agents/index.ts';
import { ProjectAgents } from '../agents/projects/index.ts';
import { createSearchShares, refuseWithoutRegion } from '../api/rest/index.ts';
import { type Database, DatabaseClock, hasEmbeddedDatabase } from '../db/index.ts';
import { createDeskProvider, Desk } from '../desk/index.ts';
import { createHandoffProviders, OpenHandoffs } from '../handoff/providers/index.ts';
import { Scheduler } from '../jobs/index.ts';
import { type Clock, sleep, steadyClock, systemClock } from '../kit/clock.ts';
import { limitersOfAllNodes, startMetricsServer } from '../kit/http/index.ts';
import { createComponentLoggers } from '../kit/logger.ts';
import { deriveBusSpace, openBus } from '../realtime/bus/index.ts';
import { agentNameOf, createConnectorDirectory } from '../realtime/conversation/index.ts';
import { createActivityBuffer } from '../realtime/event-log/index.ts';
import {
  type MessagingContext,
  NodeLease,
  SessionIds,
  SessionManager,
  startMessaging,
} from '../realtime/index.ts';
import { isChosenNode, LEASE_RENEWAL_MS } from '../realtime/ownership/index.ts';
import { answerTraces, createTraceReader } from '../realtime/trace/index.ts';
import { createPassageTranslator } from '../records/translation/translate-passage.ts';
import { createPersonCalls } from '../staff/index.ts';
import {
  applyConfig,
  findTranslations,
  hasDesk,
  loadConfiguredAgents,
  openConfiguredDatabase,
  type PlatformConfig,
  prepareFirstStart,
  readTokenSecrets,
} from './config/index.ts';
import { startFamilies, stopFamilies } from './families.ts';
import type { Lifecycle } from './lifecycle.ts';
import { createObservation } from './observation.ts';
import type { PlatformOptions } from './platform-options.ts';
import { createRequestObserver } from './request-observer.ts';
import { createRestRoutes, routesOf } from './rest-routes.ts';
import { serveCommands } from './serve-commands.ts';
import type { Platform } from './start-platform.ts';
import { startUpkeep } from './upkeep.ts';
import { createVisitorData } from './visitor-data.ts';

// Time limits of the shutdown steps after messaging. The bus itself takes at most a second to leave and one to
// disconnect.
const CLOSING_MS = 500;
const BUS_MS = 2_500;
// The embedded database flushes its files before it frees its folder, which takes seconds on a busy machine.
const EMBEDDED_DATABASE_MS = 10_000;

// A session without sockets expires at most this late.
const SWEEP_MS = 5_000;

/** Opens all parts of a platform in order of their dependencies, and registers in `lifecycle` how they stop. */
export async function compose(
  lifecycle: Lifecycle,
  config: PlatformConfig,
  options: PlatformOptions,
  logger: Logger,
): Promise<Omit<Platform, 'close'>> {
  const { limits } = config;
  const logOf = createComponentLoggers(logger, config.componentLevels);

  // The database, with the accounts of the configuration or of the first start.
  const isNewFolder = config.database.url === null && !hasEmbeddedDatabase(config.database.dataDir);
  const { onProgress, isDevelopment = false } = options;
  const replacing = options.agents ?? new Map();
  // The embedded database starts in a separate thread, so this one reads the articles meanwhile.
  const [opening, loading] = await Promise.allSettled([
    openConfiguredDatabase(config, { onProgress, mayMigrate: true }),
    loadConfiguredAgents(config, new Set(replacing.keys())),
  ]);
  const database = lifecycle.use(resultOf(opening), {
    what: 'close the database',
    timeoutMs: config.database.url === null ? EMBEDDED_DATABASE_MS : 2 * CLOSING_MS,
    run: (opened) => opened.close({ timeoutMs: CLOSING_MS }),
  });
  const { sources, webhooks } = resultOf(loading);
  const applied = await applyConfig(database, config.accounts);
  for (const note of applied.notes) logger.warn(note);
  const tell = onProgress ?? (() => undefined);
  const seeded = await prepareFirstStart(database, { isNewFolder, isDevelopment, print: tell });

  // Keys, the other nodes, and the clock that all nodes share.
  const secrets = await readTokenSecrets(config);
  const deriveKey = (purpose: SecretPurpose): Uint8Array => deriveSecret(secrets[0], purpose);
  const node = nodeName(database);
  const busLogger = logOf('bus');
  const openedBus = await openBus({
    ...{ url: config.busUrl, files: config.busFiles, space: deriveBusSpace(deriveKey('bus')), node },
    // Network timeouts must not depend on a clock that a test holds.
    clock: steadyClock,
    onFailure: (what, error) => busLogger.error({ err: error }, `could not ${what}`),
  });
  const { bus, peers } = lifecycle.use(openedBus, {
    what: 'leave the other nodes',
    timeoutMs: BUS_MS,
    run: (opened) => opened.bus.close(),
  });
  const clock = options.clock ?? (await openClock(database, logOf('database')));

  // Log, metrics, limits and the scheduler.
  const { log, observer, metrics, traces, onFailureOf } = createObservation({
    ...{ database, peers, clock, logOf },
  });
  const createLimiter = limitersOfAllNodes({ database, clock, onFailure: onFailureOf('database') });
  const guesses = createAuthFailureLimiter({
    ...{ clock, createLimiter, limit: limits.wrongCredentialsPerMinute },
  });
  const credentials = createCredentials(database, clock);
  const scheduler = new Scheduler({
    clock,
    isChosen: (what) => isChosenNode(database, node, what),
    onFailure: onFailureOf('jobs'),
    onRun: metrics.taskRun,
  });

  // Agents, and the handoff to people.
  const endpoints = await findTranslations(database, config.accounts);
  const agents = new ProjectAgents({
    ...{ database, sources, fixed: new Map([...webhooks, ...replacing]) },
    turnInShare: createTurnShares(limits.agentTurnsAtOnce),
    translate: createPassageTranslator(endpoints),
    onFailure: onFailureOf('agents'),
  });
  await agents.refresh();
  const onHandoffFailure = onFailureOf('handoff');
  const openHandoffs = new OpenHandoffs();
  const desk = new Desk({
    ...{ database, clock, bus, peers, onFailure: onHandoffFailure },
    ensureSessionLoaded: (sessionId) => manager.ensureLoaded(sessionId),
    listConnected: (sessionIds) => manager.listConnected(sessionIds),
  });
  const configuredProviders = createHandoffProviders({
    ...{ configs: config.handoffProviders, open: openHandoffs, clock, onFailure: onHandoffFailure },
    headerStyle: config.rest.webhookHeaderStyle,
    createDesk: (name, settings) =>
      createDeskProvider({ name, config: settings, desk, database, clock, onFailure: onHandoffFailure }),
  });

  // The sessions of this node. None is loaded before messaging has started.
  const messaging: MessagingContext = {
    ...{ database, log, bus, peers, clock, limits, observer, scheduler },
    handoffProviders: [...(options.handoffProviders ?? []), ...configuredProviders],
    activity: createActivityBuffer(database, {
      // The expiry of idle sessions reads the stored activity, which lags behind by a tenth of the limit at most.
      delayMs: limits.inactivityMs / 10,
      onError: (error) => observer.failed('store activity', error),
    }),
    lease: new NodeLease({ database, node }),
    connectors: createConnectorDirectory(database, credentials),
    sessionIds: new SessionIds(),
    agentFor(connector, variantId) {
      const agent = agentNameOf(connector, variantId);
      return agent === null ? null : agents.find(agent, connector.projectId);
    },
  };
  const manager = new SessionManager(messaging);
  answerTraces(peers, traces);
  const readTraces = createTraceReader({ sql: database, peers, own: { node, traces } });

  const { sessionIds } = messaging;
  lifecycle.use(
    startUpkeep({ scheduler, database, clock, sessionIds, credentials, agents, peers, metrics }),
    {
      what: 'maintain the database',
      timeoutMs: CLOSING_MS,
      run: (stop) => stop(),
    },
  );
  const metricsServer = lifecycle.use(await startMetricsServer(config.metrics, metrics, guesses), {
    what: 'close the metrics port',
    timeoutMs: CLOSING_MS,
    run: (opened) => opened?.close(),
  });

  // The REST families, and the calls of the desk and the console.
  const restLogger = logOf('rest');
  const { hasConsole = false, consoleUrl = null } = options;
  const families = await startFamilies(
    {
      ...{ database, clock, scheduler, node, peers, bus, log, deriveKey, readTraces, openHandoffs },
      settings: config.rest,
      timeouts: limits,
      historyBytes: limits.historyBytes,
      sessionBytes: limits.sessionBytes,
      dataDir: config.database.dataDir,
      oidc: config.oidc,
      translations: endpoints,
      vault: createSecretVault(secrets),
      projectAgents: agents,
      findAgent: (name, projectId) => agents.find(name, projectId),
      ensureSessionLoaded: (sessionId) => manager.ensureLoaded(sessionId),
      notifyAgent: (sessionId) =>
        void manager
          .notifyAgent(sessionId)
          .catch((error: unknown) =>
            observer.failed('notify the agent of an ended wait', error, { sessionId }),
          ),
      // The console also uses the desk's sign-in.
      desk: hasDesk(config) || hasConsole ? desk : null,
      console: hasConsole
        ? {
            ...{ desk, hasDesk: hasDesk(config), consoleUrl },
            tokenProxyUrl: config.tokenProxyUrl,
          }
        : null,
      personCalls: createPersonCalls(clock),
      personStreams: new Set(),
      searchInShare: createSearchShares(),
      figures: metrics.figures,
      countWebhook: metrics.webhookAttempted,
      countRemoved: metrics.rowsRemoved,
      countSlowReader: metrics.slowReaders,
      note: (what, fields) => restLogger.info(fields, what),
      onFailure: onFailureOf('rest'),
    },
    onFailureOf,
  );
  lifecycle.use(families, {
    what: 'end background work',
    timeoutMs: null,
    run: (started) => stopFamilies(started, onFailureOf('rest')),
  });

  // The port: sockets, sessions, the routes of the families.
  const tokens = await createAccessTokens({
    secrets: secrets.map((secret) => deriveSecret(secret, 'accessTokens')),
    issuer: 'natter',
    now: () => clock.now(),
    lifetimeSeconds: limits.tokenLifetimeSeconds,
  });
  const calls = new PQueue();
  const routes = createRestRoutes(families, {
    ...{ database, credentials, clock, guesses, calls, settings: config.rest },
    onFailure: onFailureOf('rest'),
  });
  const messagingServer = await startMessaging({
    ...{ context: messaging, manager, metrics, tokens, guesses, createLimiter },
    ...{ hostname: config.host, port: config.port, trustedProxyHops: config.trustedProxyHops },
    renewalMs: LEASE_RENEWAL_MS,
    sweepMs: SWEEP_MS,
    async contextKeysOf(projectId) {
      const keys = (await findProjectById(database, projectId))?.contextKeys;
      return keys === undefined || keys.size === 0 ? null : keys;
    },
    visitorData: createVisitorData({
      ...{ database, clock, log, metrics, logger: logOf('messaging') },
      desk: hasDesk(config) ? desk : null,
    }),
    requestObserver: createRequestObserver(
      metrics,
      routesOf(families),
      config.accessLog ? logOf('requests') : null,
    ),
    metricsToken: config.metrics.token,
    routes: { '/': routes },
    async finishRequests(graceMs) {
      const stop = new AbortController();
      await Promise.race([calls.onIdle(), sleep(clock, graceMs, stop.signal)]);
      stop.abort();
    },
    refuse: (request, correlationId) => refuseWithoutRegion(config.rest, request, correlationId),
  });
  lifecycle.use(messagingServer, {
    what: 'stop messaging',
    timeoutMs: null,
    run: (started) => started.close(),
  });
  const commandContext = { database, config, agents: agents.names, readTraces };
  lifecycle.use(await serveCommands(commandContext, logOf('commands')), {
    what: 'close the admin socket',
    timeoutMs: CLOSING_MS,
    run: (opened) => opened?.close(),
  });

  const { host } = config;
  const { port } = messagingServer;
  return {
    metricsUrl: metricsServer?.url ?? null,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    addedConnectors: [...applied.connectors, ...(seeded === null ? [] : [seeded.connector])],
    addedKeys: [...applied.keys, ...(seeded?.keys ?? [])],
    developmentConnector: seeded === null ? null : { token: seeded.connector.token, host: 'localhost' },
    expireSessions: () => manager.expireAll(),
    expireTokens: () => tokens.expireAll(),
  };
}

/**
 * Returns the owner name of this process's sessions. The embedded database admits one process at a time, so after a
 * crash its sessions are free at once; on a shared server a lease must expire first.
 */
function nodeName({ engine }: Database): string {
  return engine === 'pglite' ? 'embedded' : `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}

/** Nodes that share a database use its clock; with the embedded one, this machine's. */
async function openClock(database: Database, logger: Logger): Promise<Clock> {
  if (database.engine === 'pglite') return systemClock;
  return await DatabaseClock.start({
    sql: database,
    onStep: (byMs) => logger.warn({ byMs }, 'database clock was set forward or back, this node follows it'),
  });
}

/** Returns the value of a settled promise, or throws its reason. */
function resultOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
