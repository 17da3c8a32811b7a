import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import * as v from 'valibot';
import { type CompleteAgentConfig, parseAgentConfig } from '../../agents/index.ts';
import { DEFAULT_HANDOFF_PROVIDERS, type HandoffProviderConfig } from '../../handoff/providers/index.ts';
import type { ComponentLevels, LogLevel } from '../../kit/logger.ts';
import { packageFile } from '../../kit/package-files.ts';
import type { BusFiles } from '../../realtime/bus/index.ts';
import { DEFAULT_MESSAGING_LIMITS, type MessagingLimits } from '../../realtime/index.ts';
import type { OidcConfig } from '../../staff/index.ts';
import type { AccountEntry } from './account-entry.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { type ConfigFile, configFileSchema } from './config-file-schema.ts';
import { describeIssue } from './describe-issue.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { findJsonFault } from './find-json-fault.ts';
import { LISTEN_HOST_HELP, readListenHost } from './listen-host.ts';
import type { RestConfig } from './rest-config.ts';

/** Complete configuration of a platform process. */
export type PlatformConfig = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Number of trusted proxies in front that append to `X-Forwarded-For`. */
  readonly trustedProxyHops: number;
  /** Address of the token proxy as browsers reach it, without a trailing slash; null: unknown. */
  readonly tokenProxyUrl: string | null;
  readonly database: {
    /** PostgreSQL; null: the embedded database in `dataDir`. */
    readonly url: string | null;
    /** Also contains files created on the first start, such as the token secret. `'memory'` stores nothing on disk. */
    readonly dataDir: string;
    readonly durable: boolean;
    readonly maxConnections: number;
  };
  /** How nodes reach each other, `nats://…` or `postgres://…`; null: over the database. */
  readonly busUrl: string | null;
  readonly busFiles: BusFiles;
  /** Secrets of access tokens: the first signs, all are accepted. Empty: one is created and kept in `dataDir`. */
  readonly tokenSecrets: readonly string[];
  /** Where `GET /metrics` is served. */
  readonly metrics: {
    /** Port of a separate listener; 0: any free port; null: no such listener. */
    readonly port: number | null;
    readonly host: string;
    /**
     * Bearer token of the metrics page, which also enables it on the main port; null: no token, and no page on the main
     * port.
     */
    readonly token: string | null;
  };
  /** Whether a line is logged for each request. */
  readonly accessLog: boolean;
  readonly logLevel: LogLevel;
  readonly componentLevels: ComponentLevels;
  /** Accounts to add or update at start. */
  readonly accounts: readonly AccountEntry[];
  readonly agents: ReadonlyMap<string, CompleteAgentConfig>;
  /** By name; `client` and `scripted` always exist. */
  readonly handoffProviders: ReadonlyMap<string, HandoffProviderConfig>;
  /** Single sign-on for the desk; null: passwords only. */
  readonly oidc: OidcConfig | null;
  readonly limits: MessagingLimits;
  readonly rest: RestConfig;
};

/** Settings from the command line, which override the environment, which overrides the file. */
export type ConfigOverrides = {
  readonly configFile?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly dataDir?: string | undefined;
};

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8080;
const DEFAULT_METRICS_HOST = '127.0.0.1';
const DEFAULT_DATA_DIR = '.natter/platform';
const DEFAULT_MAX_CONNECTIONS = 10;

/** Name of the bundled agent, used on a first start without configuration. */
export const DEMO_AGENT = 'kittiwake';

const DEMO_AGENT_CONFIG = {
  kind: 'knowledge',
  name: 'Ada',
  company: 'Kittiwake Ferries',
  handoff: { destination: 'service-desk', managed: 'server', queueName: 'Service desk' },
  knowledgeFolder: packageFile('knowledge/kittiwake'),
  eventFlows: [
    {
      name: 'payment',
      phrases: ['pay my balance', 'pay the rest of my booking', 'pay my booking'],
      text: 'You can pay at https://pay.kittiwake.example/{event_id}. I will tell you here as soon as it has arrived.',
      receivedText: 'Your payment has arrived, thank you. Your booking is confirmed.',
      timedOutText:
        'I have not seen your payment yet. If you have paid, your booking is confirmed by email once it arrives.',
      timeoutMs: 900_000,
    },
  ],
};

/**
 * Merges the configuration from command line, environment and file, in this order of precedence.
 *
 * Fails with a `ConfigError` that lists every problem with its field and what to write.
 */
export async function loadConfig(
  overrides: ConfigOverrides = {},
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<PlatformConfig> {
  const environment = readEnvironment(env);
  const path = overrides.configFile ?? environment.configFile;
  if (path === undefined)
    return complete(overrides, environment, v.parse(configFileSchema, {}), process.cwd(), '');
  return complete(overrides, environment, await readConfigFile(path), dirname(resolve(path)), path);
}

/** Reads and checks a configuration file. */
async function readConfigFile(path: string): Promise<ConfigFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new ConfigError(path, [{ field: '', message: 'the file cannot be read; check that it exists' }]);
  }
  return parseConfigFile(text, path);
}

/** Checks the text of a configuration file. */
export function parseConfigFile(text: string, path: string): ConfigFile {
  // Editors on Windows write a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch {
    // The parser's message quotes the text around the fault, which may be a secret, and often lacks the position.
    const { line, column } = findJsonFault(json);
    const message = `the file is not valid JSON (line ${line}, column ${column})`;
    throw new ConfigError(path, [{ field: '', message }]);
  }
  const result = v.safeParse(configFileSchema, content);
  if (!result.success) throw new ConfigError(path, result.issues.map(describeIssue));
  return result.output;
}

function complete(
  overrides: ConfigOverrides,
  environment: Environment,
  file: ConfigFile,
  folder: string,
  path: string,
): PlatformConfig {
  const { server, database } = file;
  const agents = readAgents(file, folder, path);
  const levels = environment.logLevels ?? file.logLevel ?? { level: 'info', components: {} };
  const metricsPort = environment.metricsPort ?? file.metrics.port ?? null;
  const metricsHost = environment.metricsHost ?? file.metrics.host;
  if (metricsHost !== undefined && metricsPort === null) {
    const field = environment.metricsHost === undefined ? 'metrics.host' : 'NATTER_METRICS_HOST';
    throw new ConfigError('the configuration', [{ field, message: 'needs NATTER_METRICS_PORT' }]);
  }
  // A path in the file is relative to the file; one from the command line or environment to the working directory.
  const dataDir =
    overrides.dataDir ?? environment.dataDir ?? fromFolder(folder, database.dataDir) ?? DEFAULT_DATA_DIR;
  return {
    host: readHostOption(overrides.host) ?? environment.host ?? server.host ?? DEFAULT_HOST,
    port: overrides.port ?? environment.port ?? server.port ?? DEFAULT_PORT,
    trustedProxyHops: environment.trustedProxyHops ?? server.trustedProxyHops ?? 0,
    tokenProxyUrl: environment.tokenProxyUrl ?? server.tokenProxyUrl ?? null,
    database: {
      url: environment.databaseUrl ?? database.url ?? null,
      dataDir,
      durable: database.durable ?? true,
      maxConnections: database.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    },
    busUrl: environment.busUrl ?? file.bus.url ?? null,
    busFiles: readBusFiles(environment, file, folder),
    tokenSecrets: environment.tokenSecret === undefined ? file.keys.tokenSecrets : [environment.tokenSecret],
    metrics: {
      port: metricsPort,
      host: metricsHost ?? DEFAULT_METRICS_HOST,
      token: environment.metricsToken ?? file.metrics.token ?? null,
    },
    accessLog: environment.accessLog ?? file.accessLog ?? false,
    logLevel: levels.level,
    componentLevels: levels.components,
    accounts: file.accounts,
    agents,
    handoffProviders: readHandoffProviders(file, path),
    oidc: file.oidc,
    limits: { ...DEFAULT_MESSAGING_LIMITS, ...file.limits },
    rest: file.rest,
  };
}

function readHostOption(option: string | undefined): string | undefined {
  if (option === undefined) return undefined;
  const host = readListenHost(option);
  if (host !== null) return host;
  throw new ConfigError('the command line', [{ field: '--host', message: LISTEN_HOST_HELP }]);
}

function readBusFiles(environment: Environment, { bus }: ConfigFile, folder: string): BusFiles {
  const files = {
    credentialsFile: environment.busCredentialsFile ?? fromFolder(folder, bus.credentialsFile),
    caFile: environment.busCaFile ?? fromFolder(folder, bus.caFile),
    certificateFile: fromFolder(folder, bus.certificateFile),
    keyFile: fromFolder(folder, bus.keyFile),
  };
  return Object.fromEntries(Object.entries(files).filter(([, path]) => path !== undefined));
}

function readAgents(
  file: ConfigFile,
  folder: string,
  path: string,
): ReadonlyMap<string, CompleteAgentConfig> {
  const agents = new Map([[DEMO_AGENT, parseAgentConfig(DEMO_AGENT_CONFIG)]]);
  const problems: ConfigProblem[] = [];
  for (const [name, entry] of Object.entries(file.agents)) {
    try {
      agents.set(name, parseAgentConfig(withFolder(entry, folder)));
    } catch (error) {
      problems.push({
        field: `agents.${name}`,
        message: error instanceof Error ? error.message : 'is not valid',
      });
    }
  }
  for (const [field, agent] of namedAgents(file.accounts)) {
    if (agent === null || agents.has(agent)) continue;
    const known = [...agents.keys()].map((name) => `"${name}"`).join(', ');
    problems.push({ field, message: `there is no agent "${agent}" under "agents"; there are ${known}` });
  }
  if (problems.length > 0) throw new ConfigError(path, problems);
  return agents;
}

function readHandoffProviders(file: ConfigFile, path: string): ReadonlyMap<string, HandoffProviderConfig> {
  const providers = new Map([
    ...Object.entries(DEFAULT_HANDOFF_PROVIDERS),
    ...Object.entries(file.handoffProviders),
  ]);
  const known = [...providers.keys()].map((name) => `"${name}"`).join(', ');
  const problems = namedHandoffProviders(file.accounts).flatMap(([field, name]) =>
    name === null || providers.has(name)
      ? []
      : [{ field, message: `there is no "${name}" under "handoffProviders"; there are ${known}` }],
  );
  if (problems.length > 0) throw new ConfigError(path, problems);
  return providers;
}

function namedHandoffProviders(
  accounts: readonly AccountEntry[],
): readonly (readonly [string, string | null])[] {
  return accounts.flatMap(({ projects }, account) =>
    projects.flatMap(({ handoff = null, connectors }, project) => {
      const field = `accounts[${account}].projects[${project}]`;
      return [
        [`${field}.handoff`, handoff] as const,
        ...connectors.map(
          ({ settings }, index) =>
            [`${field}.connectors[${index}].settings.handoff`, settings.handoff] as const,
        ),
      ];
    }),
  );
}

function namedAgents(accounts: readonly AccountEntry[]): readonly (readonly [string, string | null])[] {
  return accounts.flatMap(({ projects }, account) =>
    projects.flatMap(({ agent, connectors, variants = [] }, project) => {
      const field = `accounts[${account}].projects[${project}]`;
      return [
        [`${field}.agent`, agent] as const,
        ...variants.map((variant, index) => [`${field}.variants[${index}].agent`, variant.agent] as const),
        ...connectors.map(
          ({ settings }, index) => [`${field}.connectors[${index}].settings.agent`, settings.agent] as const,
        ),
      ];
    }),
  );
}

// Agent settings that are paths, relative to the configuration file's folder.
const PATHS: ReadonlySet<string> = new Set(['knowledgeFolder', 'tools']);

function withFolder(entry: unknown, folder: string): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const paths = Object.entries(entry).filter(([name]) => PATHS.has(name));
  const resolved = paths.map(([name, path]) => [
    name,
    typeof path === 'string' ? resolve(folder, path) : path,
  ]);
  return { ...entry, ...Object.fromEntries(resolved) };
}

function fromFolder(folder: string, path: string | undefined): string | undefined {
  return path === undefined || path === 'memory' || isAbsolute(path) ? path : resolve(folder, path);
}
