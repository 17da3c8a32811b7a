import { readPostgresAddress } from '../../db/index.ts';
import { LOG_LEVEL_HELP, type LogLevels, parseLogLevels } from '../../kit/logger.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { CREDENTIAL, CREDENTIAL_HELP } from './config-fields.ts';
import { findBusUrlProblem, readTokenProxyUrl, TOKEN_PROXY_URL_HELP } from './config-file-schema.ts';
import { LISTEN_HOST_HELP, readListenHost } from './listen-host.ts';

/** Settings from environment variables; unset ones are undefined. */
export type Environment = {
  readonly configFile: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly busUrl: string | undefined;
  readonly busCredentialsFile: string | undefined;
  readonly busCaFile: string | undefined;
  readonly dataDir: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly trustedProxyHops: number | undefined;
  readonly tokenProxyUrl: string | undefined;
  readonly tokenSecret: string | undefined;
  readonly metricsPort: number | undefined;
  readonly metricsHost: string | undefined;
  readonly metricsToken: string | undefined;
  readonly accessLog: boolean | undefined;
  readonly logLevels: LogLevels | undefined;
};

/** Every environment variable that is read, with one line of help. */
export const ENVIRONMENT_VARIABLES: Readonly<Record<string, string>> = {
  NATTER_CONFIG: 'configuration file',
  DATABASE_URL:
    'PostgreSQL server, postgres://user:password@host:port/database, several hosts separated by commas; without it the embedded database',
  NATTER_BUS_URL:
    'how several nodes reach each other: nats://user:password@host:port or tls://…, several servers separated by commas, or postgres:// past a connection pooler',
  NATTER_BUS_CREDENTIALS_FILE: 'credentials file (.creds) or nkey seed for NATS',
  NATTER_BUS_CA_FILE: 'certificate authorities, PEM, for the TLS certificates of NATS',
  NATTER_DATA_DIR: 'folder of the embedded database and of files created on the first start',
  NATTER_HOST: 'address to listen on',
  NATTER_PORT: 'port to listen on; 0 takes any free one',
  NATTER_TRUSTED_PROXY_HOPS: 'number of trusted proxies in front that append to X-Forwarded-For',
  NATTER_TOKEN_PROXY_URL:
    'address at which browsers reach the token proxy, such as https://chat.example.com; the console writes it into the snippet for sites',
  NATTER_TOKEN_SECRET:
    'secret from which all keys are derived, at least 32 characters, the same on every node; required with DATABASE_URL',
  NATTER_METRICS_PORT: 'port of a listener that serves GET /metrics and nothing else; 0 takes any free one',
  NATTER_METRICS_HOST: 'address of that listener',
  NATTER_METRICS_TOKEN:
    'bearer token that GET /metrics requires, at least 20 characters; with it the page is also on NATTER_PORT',
  NATTER_ACCESS_LOG: 'true logs a line for each request: method, route, status, time, bytes and id',
  NATTER_MIGRATE_TO_URL: 'database that migrate-to copies to, like DATABASE_URL',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'collector of OpenTelemetry traces, such as http://127.0.0.1:4318; default: no traces',
  NATTER_LOG_LEVEL: `how much is logged: ${LOG_LEVEL_HELP}`,
};

/** Reads the environment. Fails with a `ConfigError` that lists every problem. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const problems: ConfigProblem[] = [];
  const read = (field: string): string | undefined => {
    const value = env[field]?.trim();
    return value === '' ? undefined : value;
  };
  const readNumber = (field: string, max: number): number | undefined => {
    const value = read(field);
    if (value === undefined || (/^\d{1,5}$/.test(value) && Number(value) <= max)) {
      return value === undefined ? undefined : Number(value);
    }
    problems.push({ field, message: `must be a whole number from 0 to ${max}` });
    return undefined;
  };
  const readHost = (field: string): string | undefined => {
    const value = read(field);
    const host = value === undefined ? undefined : readListenHost(value);
    if (host === null) problems.push({ field, message: LISTEN_HOST_HELP });
    return host ?? undefined;
  };
  const databaseUrl = read('DATABASE_URL');
  const address = databaseUrl === undefined ? undefined : readPostgresAddress(databaseUrl);
  if (typeof address === 'string') problems.push({ field: 'DATABASE_URL', message: address });
  const busUrl = read('NATTER_BUS_URL');
  const busProblem = busUrl === undefined ? null : findBusUrlProblem(busUrl);
  if (busProblem !== null) problems.push({ field: 'NATTER_BUS_URL', message: busProblem });
  const givenProxyUrl = read('NATTER_TOKEN_PROXY_URL');
  const tokenProxyUrl = givenProxyUrl === undefined ? undefined : readTokenProxyUrl(givenProxyUrl);
  if (tokenProxyUrl === null)
    problems.push({ field: 'NATTER_TOKEN_PROXY_URL', message: TOKEN_PROXY_URL_HELP });
  const tokenSecret = read('NATTER_TOKEN_SECRET');
  if (tokenSecret !== undefined && tokenSecret.length < 32) {
    problems.push({ field: 'NATTER_TOKEN_SECRET', message: 'must have at least 32 characters' });
  }
  const metricsToken = read('NATTER_METRICS_TOKEN');
  if (metricsToken !== undefined && !CREDENTIAL.test(metricsToken)) {
    problems.push({ field: 'NATTER_METRICS_TOKEN', message: CREDENTIAL_HELP });
  }
  const accessLog = read('NATTER_ACCESS_LOG');
  if (accessLog !== undefined && !['true', 'false'].includes(accessLog)) {
    problems.push({ field: 'NATTER_ACCESS_LOG', message: 'must be true or false' });
  }
  const levelText = read('NATTER_LOG_LEVEL');
  const logLevels = levelText === undefined ? undefined : parseLogLevels(levelText);
  if (typeof logLevels === 'string') problems.push({ field: 'NATTER_LOG_LEVEL', message: logLevels });
  const environment: Environment = {
    configFile: read('NATTER_CONFIG'),
    databaseUrl,
    busUrl,
    busCredentialsFile: read('NATTER_BUS_CREDENTIALS_FILE'),
    busCaFile: read('NATTER_BUS_CA_FILE'),
    dataDir: read('NATTER_DATA_DIR'),
    host: readHost('NATTER_HOST'),
    port: readNumber('NATTER_PORT', 65_535),
    trustedProxyHops: readNumber('NATTER_TRUSTED_PROXY_HOPS', 100),
    tokenProxyUrl: tokenProxyUrl ?? undefined,
    tokenSecret,
    metricsPort: readNumber('NATTER_METRICS_PORT', 65_535),
    metricsHost: readHost('NATTER_METRICS_HOST'),
    metricsToken,
    accessLog: accessLog === undefined ? undefined : accessLog === 'true',
    logLevels: typeof logLevels === 'string' ? undefined : logLevels,
  };
  if (problems.length > 0) throw new ConfigError('the environment', problems);
  return environment;
}
