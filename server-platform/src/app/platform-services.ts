import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { type RestFamily, removeOldAnswers } from '../api/rest/index.ts';
import { type Database, DatabaseClock, FOLLOW_EVERY_MS, removeOldLimits } from '../db/index.ts';
import type { Scheduled } from '../jobs/index.ts';
import { type Clock, steadyClock, systemClock } from '../kit/clock.ts';
import { startMetricsServer } from '../kit/http/index.ts';
import { nameBusSpace, openBus, type SharedBus } from '../realtime/bus/index.ts';
import { type AdminSocket, startAdminSocket } from './admin-socket.ts';
import { openConfiguredDatabase, type PlatformConfig } from './config/index.ts';
import { stopFamilies } from './families.ts';
import { type CommandContext, FAILED, runCommand } from './run-command.ts';
import { startFamiliesOn, startMessagingOn } from './serve.ts';
import type { PlatformKeys, ServerContext } from './server-context.ts';
import type { Service } from './services.ts';

// The time limits of a shutdown after messaging. The bus gives itself a second to say goodbye and one to disconnect.
const METRICS_MS = 500;
const BUS_MS = 2_500;
const DATABASE_MS = 500;
// The embedded database flushes its files before it frees its folder, which takes seconds on a busy machine.
const EMBEDDED_DATABASE_MS = 10_000;

const FORGET_EVERY_MS = 60_000;
const PARTITIONS_EVERY_MS = 60_000;
const KEY_USES_EVERY_MS = 60_000;
// An article that was published on another node counts here this soon.
const ARTICLES_EVERY_MS = 2_000;

/** The database of the configuration. Runs the migrations that are missing. */
export const databaseService = (
  config: PlatformConfig,
  onProgress: ((line: string) => void) | undefined,
): Service<Database> => ({
  start: () => openConfiguredDatabase(config, { onProgress, mayMigrate: true }),
  stopping: 'close the database',
  stop: (opened) => opened.close({ timeoutMs: DATABASE_MS }),
  stopTimeoutMs: config.database.url === null ? EMBEDDED_DATABASE_MS : 2 * DATABASE_MS,
});

/** The bus between the nodes. */
export const busService = (
  config: PlatformConfig,
  keys: PlatformKeys,
  node: string,
  logger: Logger,
): Service<SharedBus> => ({
  start: () => openBusOfNode(config, keys, node, logger),
  stopping: 'leave the other nodes',
  stop: (opened) => opened.bus.close(),
  stopTimeoutMs: BUS_MS,
});

function openBusOfNode(
  config: PlatformConfig,
  { deriveKey }: PlatformKeys,
  node: string,
  logger: Logger,
): Promise<SharedBus> {
  return openBus({
    url: config.busUrl,
    files: config.busFiles,
    space: nameBusSpace(deriveKey('bus')),
    node,
    // The network does not wait for a clock that a test holds.
    clock: steadyClock,
    onFailure: (what, error) => logger.error({ err: error }, `could not ${what}`),
  });
}

/**
 * The owner name of this process's sessions. The embedded database lets one process in at a time, so its sessions are ours at
 * once after a crash; on a shared server a lease must run out first.
 */
export function nodeName({ engine }: Database): string {
  return engine === 'pglite' ? 'embedded' : `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}

/** Nodes of one database go by its clock; the embedded one has this machine's. */
export async function openClock(database: Database, logger: Logger): Promise<Clock> {
  if (database.engine === 'pglite') return systemClock;
  return await DatabaseClock.start({
    sql: database,
    onStep: (byMs) =>
      logger.warn({ byMs }, "the database's clock was put forward or back, and this node follows it"),
  });
}

/** What a node does for the ids of its sessions and, on PostgreSQL, for its clock; and one node for the limits that all share. */
export const upkeepService = (clock: Clock, context: ServerContext): Service<readonly Scheduled[]> => ({
  start: () => startUpkeep(clock, context),
  stopping: 'look after the database',
  stop: (tasks) => Promise.all(tasks.map((task) => task.stop())),
  stopTimeoutMs: DATABASE_MS,
});

function startUpkeep(clock: Clock, { messaging, metrics, database }: ServerContext): readonly Scheduled[] {
  const { scheduler, sessionIds } = messaging;
  const refresh = scheduler.every({
    what: 'read the partitions of events',
    everyMs: PARTITIONS_EVERY_MS,
    firstMs: 0,
    run: () => sessionIds.refresh(database),
  });
  const forget = scheduler.every({
    what: 'forget old answers',
    everyMs: FORGET_EVERY_MS,
    onOneNode: true,
    run: () => removeOldAnswers(database),
  });
  if (database.engine === 'pglite') return [refresh, forget];
  const tasks = [
    refresh,
    forget,
    scheduler.every({
      what: 'forget old limits',
      everyMs: FORGET_EVERY_MS,
      onOneNode: true,
      run: () => removeOldLimits(database),
    }),
  ];
  if (!(clock instanceof DatabaseClock)) return tasks;
  metrics.watchClock(() => clock.machineAheadMs);
  const follow = { what: "follow the database's clock", everyMs: FOLLOW_EVERY_MS, run: () => clock.follow() };
  return [...tasks, scheduler.every(follow)];
}

/** The metrics page on a separate port, where the configuration names one. */
export const metricsService = ({
  config,
  metrics,
  guesses,
}: ServerContext): Service<Awaited<ReturnType<typeof startMetricsServer>>> => ({
  start: () => startMetricsServer(config.metrics, metrics, guesses),
  stopping: 'close the metrics port',
  stop: async (opened) => opened?.close(),
  stopTimeoutMs: METRICS_MS,
});

/** Stores when API keys were used. */
export const keyUseService = ({ messaging, credentials }: ServerContext): Service<Scheduled> => ({
  start: () =>
    messaging.scheduler.every({
      what: 'note when keys were used',
      everyMs: KEY_USES_EVERY_MS,
      run: credentials.writeUses,
    }),
  stopping: 'note when keys were used',
  async stop(task) {
    await task.run();
    await task.stop();
  },
  stopTimeoutMs: DATABASE_MS,
});

/** Loads the articles that were published on another node. */
export const articleService = ({ messaging, agents, peers }: ServerContext): Service<Scheduled | null> => ({
  start: () =>
    peers.isShared
      ? messaging.scheduler.every({
          what: 'take up edited articles',
          everyMs: ARTICLES_EVERY_MS,
          run: () => agents.refresh(),
        })
      : null,
  stopping: 'end the look for edited articles',
  stop: async (task) => await task?.stop(),
  stopTimeoutMs: DATABASE_MS,
});

/** The REST families with their background work. */
export const familiesService = (
  context: ServerContext,
  keys: PlatformKeys,
): Service<readonly RestFamily[]> => ({
  start: () => startFamiliesOn(context, keys),
  stopping: 'end background work',
  stop: (started) => stopFamilies(started, context.onFailureOf('rest')),
  stopTimeoutMs: null,
});

/** The port with sockets, sessions and the routes of the families. */
export const messagingService = (
  context: ServerContext,
  keys: PlatformKeys,
  families: readonly RestFamily[],
): Service<Awaited<ReturnType<typeof startMessagingOn>>> => ({
  start: () => startMessagingOn(context, keys, families),
  stopping: 'stop messaging',
  stop: (started) => started.close(),
  stopTimeoutMs: null,
});

/** The socket through which the command line reaches the embedded database, which no second process can open. */
export const adminService = (context: CommandContext, logger: Logger): Service<AdminSocket | null> => ({
  start: () => startAdmin(context, logger),
  stopping: 'close the admin socket',
  stop: async (opened) => opened?.close(),
  stopTimeoutMs: METRICS_MS,
});

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
