import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { type AdminSocket, startAdminSocket } from './admin-socket.ts';
import { openBus, type SharedBus } from './bus/index.ts';
import { type Clock, steadyClock, systemClock } from './clock.ts';
import {
  type AddedConnector,
  type AddedKey,
  applyConfig,
  checkConfig,
  loadConfig,
  openConfiguredDatabase,
  type PlatformConfig,
  prepareFirstStart,
} from './config/index.ts';
import {
  type Database,
  DatabaseClock,
  FOLLOW_EVERY_MS,
  hasEmbeddedDatabase,
  removeOldLimits,
} from './db/index.ts';
import { stopFamilies } from './families.ts';
import { startMetricsServer } from './http/index.ts';
import { createLogger } from './logger.ts';
import { completeConfig, type PlatformOptions } from './platform-options.ts';
import { type CommandContext, FAILED, runCommand } from './run-command.ts';
import { startFamiliesOn, startMessagingOn } from './serve.ts';
import { createKeys, createServerContext, type PlatformKeys, type ServerContext } from './server-context.ts';
import { Services } from './services.ts';
import type { Scheduled, ScheduledTask } from './sweep/index.ts';

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
  /** Counts every access token that this process has minted before as expired. For tests and demonstrations. */
  expireTokens(): void;
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
  const config = completeConfig(options.config ?? (await loadConfig({}, {})), options);
  checkConfig(config);
  const logger = options.logger ?? createLogger(config.logLevel);
  const services = new Services((what, error) => logger.error({ err: error }, `could not ${what}`));
  try {
    return await startServices(services, config, options, logger);
  } catch (error) {
    await services.stop();
    throw error;
  }
}

/** Starts the services in the order in which they depend on each other. */
async function startServices(
  services: Services,
  config: PlatformConfig,
  options: PlatformOptions,
  logger: Logger,
): Promise<Platform> {
  const { isDevelopment = false, onProgress: tell = () => undefined } = options;
  const isNewFolder = config.database.url === null && !hasEmbeddedDatabase(config.database.dataDir);
  const database = await services.start({
    start: () => openConfiguredDatabase(config, { onProgress: options.onProgress, mayMigrate: true }),
    stopping: 'close the database',
    stop: (opened) => opened.close({ timeoutMs: DATABASE_MS }),
    stopTimeoutMs: config.database.url === null ? EMBEDDED_DATABASE_MS : 2 * DATABASE_MS,
  });
  const applied = await applyConfig(database, config.accounts);
  for (const note of applied.notes) logger.warn(note);
  const seeded = await prepareFirstStart(database, { isNewFolder, isDevelopment, tell });
  const node = nodeName(database);
  const keys = await createKeys(config);
  const { bus, peers } = await services.start({
    start: () => openBusOfNode(config, keys, node, logger),
    stopping: 'leave the other nodes',
    stop: (opened) => opened.bus.close(),
    stopTimeoutMs: BUS_MS,
  });
  const clock = options.clock ?? (await openClock(database, logger));
  const context = await createServerContext({
    ...{ config, options, database, clock, bus, peers, logger, node },
  });
  await services.start({
    start: () => startUpkeep(clock, context),
    stopping: "follow the database's clock",
    stop: (tasks) => Promise.all(tasks.map((task) => task.stop())),
    stopTimeoutMs: DATABASE_MS,
  });
  const metricsServer = await services.start({
    start: () => startMetricsServer(config.metrics, context.metrics, context.guesses),
    stopping: 'close the metrics port',
    stop: async (opened) => opened?.close(),
    stopTimeoutMs: METRICS_MS,
  });
  await services.start({
    start: async () =>
      context.messaging.scheduler.every({ ...NOTE_USES, run: context.credentials.writeUses }),
    stopping: 'note when keys were used',
    async stop(task) {
      await task.run();
      await task.stop();
    },
    stopTimeoutMs: DATABASE_MS,
  });
  await services.start({
    start: async () => (peers.isShared ? context.messaging.scheduler.every(takeUpArticles(context)) : null),
    stopping: 'end the look for edited articles',
    stop: async (task) => await task?.stop(),
    stopTimeoutMs: DATABASE_MS,
  });
  const families = await services.start({
    start: () => startFamiliesOn(context, keys),
    stopping: 'end background work',
    stop: (started) => stopFamilies(started, context.onFailure),
    stopTimeoutMs: null,
  });
  const messaging = await services.start({
    start: () => startMessagingOn(context, keys, families),
    stopping: 'stop messaging',
    stop: (started) => started.close(),
    stopTimeoutMs: null,
  });
  await services.start({
    start: () => startAdmin({ database, config, agents: context.agents.names }, logger),
    stopping: 'close the admin socket',
    stop: async (opened) => opened?.close(),
    stopTimeoutMs: METRICS_MS,
  });
  const { host } = config;
  return {
    metricsUrl: metricsServer?.url ?? null,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${messaging.port}`,
    port: messaging.port,
    addedConnectors: [...applied.connectors, ...(seeded === null ? [] : [seeded.connector])],
    addedKeys: [...applied.keys, ...(seeded?.keys ?? [])],
    developmentConnector: seeded === null ? null : { token: seeded.connector.token, host: 'localhost' },
    expireSessions: () => messaging.manager.expireAll(),
    expireTokens: () => messaging.expireAll(),
    close: () => services.stop(),
  };
}

/** Nodes of one database go by its clock; the embedded one has this machine's. */
async function openClock(database: Database, logger: Logger): Promise<Clock> {
  if (database.engine === 'pglite') return systemClock;
  return await DatabaseClock.start({
    sql: database,
    onStep: (byMs) =>
      logger.warn({ byMs }, "the database's clock was put forward or back, and this node follows it"),
  });
}

/** What a node on PostgreSQL does for its clock, and one of them for the limits that they share. */
function startUpkeep(clock: Clock, { messaging, metrics, database }: ServerContext): readonly Scheduled[] {
  if (database.engine === 'pglite') return [];
  const { scheduler } = messaging;
  const tasks = [
    scheduler.every({
      what: 'forget old limits',
      everyMs: FORGET_LIMITS_EVERY_MS,
      onOneNode: true,
      run: () => removeOldLimits(database),
    }),
  ];
  if (!(clock instanceof DatabaseClock)) return tasks;
  metrics.watchClock(() => clock.machineAheadMs);
  const follow = { what: "follow the database's clock", everyMs: FOLLOW_EVERY_MS, run: () => clock.follow() };
  return [...tasks, scheduler.every(follow)];
}

const FORGET_LIMITS_EVERY_MS = 60_000;

/** Lets the command line reach the embedded database, which no second process can open. */
async function startAdmin(context: CommandContext, logger: Logger): Promise<AdminSocket | null> {
  const { url, dataDir } = context.config.database;
  if (url !== null || dataDir === 'memory') return null;
  const socket = await startAdminSocket(dataDir, async (request) => {
    logger.info({ command: request.command }, 'runs a command of the operator');
    try {
      return await runCommand(context, request);
    } catch (error) {
      logger.error({ err: error }, 'could not run a command of the operator');
      const message = 'The platform could not run this command; its log says why.';
      return { status: 'refused', message, exitCode: FAILED };
    }
  });
  if (socket === null)
    logger.warn({ dataDir }, 'the path of the data folder is too long for commands to reach this platform');
  return socket;
}

/** What was published on another node counts here this soon. */
const takeUpArticles = ({ agents }: ServerContext): ScheduledTask => ({
  what: 'take up edited articles',
  everyMs: 2_000,
  run: () => agents.refresh(),
});

const NOTE_USES = { what: 'note when keys were used', everyMs: 60_000 };

// The time limits of a shutdown after messaging. The bus gives itself a second to say goodbye and one to disconnect.
const METRICS_MS = 500;
const BUS_MS = 2_500;
const DATABASE_MS = 500;
// The embedded database flushes its files before it frees its folder, which takes seconds on a busy machine.
const EMBEDDED_DATABASE_MS = 10_000;

/**
 * The owner name of this process's sessions. The embedded database lets one process in at a time, so its sessions are ours at
 * once after a crash; on a shared server a lease must run out first.
 */
function nodeName({ engine }: Database): string {
  return engine === 'pglite' ? 'embedded' : `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}

function openBusOfNode(
  config: PlatformConfig,
  { deriveKey }: PlatformKeys,
  node: string,
  logger: Logger,
): Promise<SharedBus> {
  return openBus({
    url: config.busUrl,
    files: config.busFiles,
    space: Buffer.from(deriveKey('bus')).toString('hex').slice(0, 32),
    node,
    // The network does not wait for a clock that a test holds.
    clock: steadyClock,
    onFailure: (what, error) => logger.error({ err: error }, `could not ${what}`),
  });
}
