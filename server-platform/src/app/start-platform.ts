import type { Logger } from 'pino';
import { hasEmbeddedDatabase } from '../db/index.ts';
import { createComponentLoggers, createLogger } from '../kit/logger.ts';
import {
  type AddedConnector,
  type AddedKey,
  applyConfig,
  checkConfig,
  loadConfig,
  type PlatformConfig,
  prepareFirstStart,
} from './config/index.ts';
import { completeConfig, type PlatformOptions } from './platform-options.ts';
import {
  adminService,
  articleService,
  busService,
  databaseService,
  familiesService,
  keyUseService,
  messagingService,
  metricsService,
  nodeName,
  openClock,
  upkeepService,
} from './platform-services.ts';
import { createKeys, createServerContext } from './server-context.ts';
import { Services } from './services.ts';

/** A running platform. */
export interface Platform {
  /** `http://host:port`; the socket is at the same host, path `/ws`. */
  readonly url: string;
  readonly port: number;
  /** Address of the metrics page on a separate port; null: none. */
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
   * database closed. Every step runs even if an earlier one failed; failures go to the log, and the promise never
   * rejects. May be called twice.
   */
  close(): Promise<void>;
}

/**
 * Starts a platform: database, agents, sessions, HTTP and sockets on one port.
 *
 * Fails with a `DatabaseError` or a `ConfigError`; resources opened until then are closed again.
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
  const { isDevelopment = false, onProgress } = options;
  const isNewFolder = config.database.url === null && !hasEmbeddedDatabase(config.database.dataDir);
  const database = await services.start(databaseService(config, onProgress));
  const applied = await applyConfig(database, config.accounts);
  for (const note of applied.notes) logger.warn(note);
  const seeded = await prepareFirstStart(database, {
    ...{ isNewFolder, isDevelopment },
    tell: onProgress ?? (() => undefined),
  });
  const node = nodeName(database);
  const keys = await createKeys(config);
  const logOf = createComponentLoggers(logger, config.componentLevels);
  const { bus, peers } = await services.start(busService(config, keys, node, logOf('bus')));
  const clock = options.clock ?? (await openClock(database, logOf('database')));
  const context = await createServerContext({
    ...{ config, options, database, clock, bus, peers, logOf, node },
  });
  await services.start(upkeepService(clock, context));
  const metricsServer = await services.start(metricsService(context));
  await services.start(keyUseService(context));
  await services.start(articleService(context));
  const families = await services.start(familiesService(context, keys));
  const messaging = await services.start(messagingService(context, keys, families));
  await services.start(
    adminService(
      { database, config, agents: context.agents.names, readTraces: context.readTraces },
      logOf('commands'),
    ),
  );
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
