import type { Logger } from 'pino';
import type { Agent } from '../agents/index.ts';
import type { HandoffProvider } from '../handoff/session/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { MessagingLimits } from '../realtime/index.ts';
import type { PlatformConfig } from './config/index.ts';

/** Options of a platform. A missing option comes from `config`, then from the defaults. */
export interface PlatformOptions {
  /** A configuration read by `loadConfig`. Default: the defaults; environment and files are not read. */
  readonly config?: PlatformConfig;
  readonly host?: string;
  /** 0: the operating system chooses a free port. */
  readonly port?: number;
  /** Folder of the embedded database; `'memory'` stores nothing on disk. */
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  /** How several nodes on one `databaseUrl` reach each other: `nats://…`, or `postgres://…`. Default: `databaseUrl`. */
  readonly busUrl?: string;
  /** Accounts to add or update, in addition to the configuration's. */
  readonly accounts?: PlatformConfig['accounts'];
  /** Agents by name, in addition to the configuration's. */
  readonly agents?: ReadonlyMap<string, Agent>;
  readonly limits?: Partial<MessagingLimits>;
  /**
   * Adds the development account to an embedded database without accounts, even if the database is not new. Has no
   * effect on PostgreSQL. Default false.
   */
  readonly isDevelopment?: boolean;
  /**
   * Secret that all keys are derived from, at least 32 bytes; the same on every node. Required with `databaseUrl`.
   * Default: created on the first start and kept in the data folder.
   */
  readonly tokenSecret?: string;
  /** Serves the console at `/console/`. Default: false. */
  readonly hasConsole?: boolean;
  /** Address of a development server for the console's pages; the platform redirects there. Default: none. */
  readonly consoleUrl?: string;
  readonly handoffProviders?: readonly HandoffProvider[];
  /** Where `GET /metrics` is served, besides what the configuration says. Default: nowhere. */
  readonly metrics?: Partial<PlatformConfig['metrics']>;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** One line per step of a slow start. */
  readonly onProgress?: (line: string) => void;
}

/** The configuration, overridden by the options. */
export function completeConfig(config: PlatformConfig, options: PlatformOptions): PlatformConfig {
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
