import * as v from 'valibot';
import { readPostgresAddress } from '../../db/index.ts';
import { type HandoffProviderConfig, handoffProviderSchema } from '../../handoff/providers/index.ts';
import { type LogLevels, parseLogLevels } from '../../kit/logger.ts';
import type { BusFiles } from '../../realtime/bus/index.ts';
import type { MessagingLimits } from '../../realtime/index.ts';
import { type OidcConfig, oidcSchema } from '../../staff/index.ts';
import { type AccountEntry, accountEntrySchema } from './account-entry.ts';
import { credential, LIST_HELP, secret, text } from './config-fields.ts';
import { limitsSchema } from './limits-schema.ts';
import { LISTEN_HOST_HELP, readListenHost } from './listen-host.ts';
import { type RestConfig, restConfigSchema } from './rest-config.ts';

const port = v.pipe(
  v.number('must be a number'),
  v.integer('must be a whole number'),
  v.minValue(0, 'must be 0 (any free port) to 65535'),
  v.maxValue(65_535, 'must be 0 (any free port) to 65535'),
);

/** Returns the problem with a bus address; null if it is valid. */
export function findBusUrlProblem(url: string): string | null {
  if (/^postgres(ql)?:/.test(url)) return findDatabaseUrlProblem(url);
  return /^(nats|tls):\/\/./.test(url)
    ? null
    : 'must begin with nats://, tls:// (NATS with TLS) or postgres://';
}

function findDatabaseUrlProblem(url: string): string | null {
  const address = readPostgresAddress(url);
  return typeof address === 'string' ? address : null;
}

const checkUrl = (findProblem: (url: string) => string | null) =>
  v.pipe(
    text,
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? findProblem(dataset.value) : null;
      if (problem !== null) addIssue({ message: problem });
    }),
  );

/** The error text for an invalid address. */
export const TOKEN_PROXY_URL_HELP =
  'must be the address of the token proxy, such as "https://chat.example.com", without a query';

/** Returns a token proxy's address without a trailing slash; null if it is invalid. */
export function readTokenProxyUrl(text: string): string | null {
  if (!/^https?:\/\/[^?#@\s]+$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).href.replace(/(?<!\/)\/+$/, '');
}

const tokenProxyUrl = v.pipe(
  text,
  v.rawTransform(({ dataset, addIssue, NEVER }): string => {
    const url = readTokenProxyUrl(dataset.value);
    if (url !== null) return url;
    addIssue({ message: TOKEN_PROXY_URL_HELP });
    return NEVER;
  }),
);

const listenHost = v.pipe(
  text,
  v.rawTransform(({ dataset, addIssue, NEVER }): string => {
    const host = readListenHost(dataset.value);
    if (host !== null) return host;
    addIssue({ message: LISTEN_HOST_HELP });
    return NEVER;
  }),
);

const logLevels = v.pipe(
  text,
  v.rawTransform(({ dataset, addIssue, NEVER }): LogLevels => {
    const levels = parseLogLevels(dataset.value);
    if (typeof levels !== 'string') return levels;
    addIssue({ message: levels });
    return NEVER;
  }),
);

const SCHEMA = v.strictObject({
  /** For editors; ignored. */
  $schema: v.exactOptional(v.string()),
  server: v.optional(
    v.strictObject({
      host: v.exactOptional(listenHost),
      port: v.exactOptional(port),
      trustedProxyHops: v.exactOptional(
        v.pipe(
          v.number('must be a number'),
          v.integer('must be a whole number'),
          v.minValue(0, 'must be at least 0'),
        ),
      ),
      tokenProxyUrl: v.exactOptional(tokenProxyUrl),
    }),
    {},
  ),
  database: v.optional(
    v.strictObject({
      url: v.exactOptional(checkUrl(findDatabaseUrlProblem)),
      dataDir: v.exactOptional(text),
      durable: v.exactOptional(v.boolean('must be true or false')),
      maxConnections: v.exactOptional(
        v.pipe(
          v.number('must be a number'),
          v.integer('must be a whole number'),
          v.minValue(2, 'must be at least 2'),
        ),
      ),
    }),
    {},
  ),
  metrics: v.optional(
    v.strictObject({
      port: v.exactOptional(port),
      host: v.exactOptional(listenHost),
      token: v.exactOptional(credential),
    }),
    {},
  ),
  bus: v.optional(
    v.strictObject({
      url: v.exactOptional(checkUrl(findBusUrlProblem)),
      credentialsFile: v.exactOptional(text),
      caFile: v.exactOptional(text),
      certificateFile: v.exactOptional(text),
      keyFile: v.exactOptional(text),
    }),
    {},
  ),
  keys: v.optional(
    v.strictObject({
      /** The first one signs access tokens; all are accepted. */
      tokenSecrets: v.optional(v.array(secret, LIST_HELP), []),
    }),
    {},
  ),
  accessLog: v.exactOptional(v.boolean('must be true or false')),
  logLevel: v.exactOptional(logLevels),
  accounts: v.optional(v.array(accountEntrySchema, LIST_HELP), []),
  agents: v.optional(v.record(text, v.unknown(), 'must be an object of name to agent'), {}),
  handoffProviders: v.optional(
    v.record(text, handoffProviderSchema, 'must be an object of name to hand-off provider'),
    {},
  ),
  oidc: v.optional(v.nullable(oidcSchema), null),
  limits: v.optional(limitsSchema, {}),
  rest: v.optional(restConfigSchema, {}),
});

/** The validated content of a configuration file, with the defaults of dependent settings. */
export type ConfigFile = {
  readonly server: {
    readonly host?: string;
    readonly port?: number;
    readonly trustedProxyHops?: number;
    readonly tokenProxyUrl?: string;
  };
  readonly database: {
    readonly url?: string;
    readonly dataDir?: string;
    readonly durable?: boolean;
    readonly maxConnections?: number;
  };
  readonly metrics: { readonly port?: number; readonly host?: string; readonly token?: string };
  readonly bus: BusFiles & { readonly url?: string };
  readonly keys: { readonly tokenSecrets: readonly string[] };
  readonly accessLog?: boolean;
  readonly logLevel?: LogLevels;
  readonly accounts: readonly AccountEntry[];
  /** By name; the agents' own schema still has to check each. */
  readonly agents: Readonly<Record<string, unknown>>;
  readonly handoffProviders: Readonly<Record<string, HandoffProviderConfig>>;
  readonly oidc: OidcConfig | null;
  readonly limits: Partial<MessagingLimits>;
  readonly rest: RestConfig;
};

/** The schema of the configuration file. All fields are optional. */
export const configFileSchema: v.GenericSchema<unknown, ConfigFile> = SCHEMA;
