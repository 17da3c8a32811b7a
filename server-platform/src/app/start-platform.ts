import { createLogger } from '../kit/logger.ts';
import { compose } from './compose.ts';
import { type AddedConnector, type AddedKey, checkConfig, loadConfig } from './config/index.ts';
import { Lifecycle } from './lifecycle.ts';
import { completeConfig, type PlatformOptions } from './platform-options.ts';

/** A running platform. */
export interface Platform {
  /** `http://host:port`; the socket is at the same host, path `/ws`. */
  readonly url: string;
  readonly port: number;
  /** Address of the metrics page on a separate port; null: none. */
  readonly metricsUrl: string | null;
  /** Connectors added by this start, with their tokens, which are not shown again. */
  readonly addedConnectors: readonly AddedConnector[];
  /** API keys added by this start, with their texts, which are not shown again. */
  readonly addedKeys: readonly AddedKey[];
  /** The development account's connector for pages on localhost, if this start added it; otherwise null. */
  readonly developmentConnector: { readonly token: string; readonly host: string } | null;
  /** Ends every open session of this process as abandoned, and returns their number. For tests and demonstrations. */
  expireSessions(): Promise<number>;
  /** Expires every access token minted by this process so far. For tests and demonstrations. */
  expireTokens(): void;
  /**
   * Shuts down: refuses new work, waits for turns up to `limits.shutdownGraceMs`, closes sockets, releases sessions and
   * closes the database. Every step runs even if an earlier one failed; failures are logged, and the promise never
   * rejects. Safe to call repeatedly.
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
  const lifecycle = new Lifecycle((what, error) => logger.error({ err: error }, `could not ${what}`));
  try {
    const platform = await compose(lifecycle, config, options, logger);
    return { ...platform, close: () => lifecycle.stop() };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}
