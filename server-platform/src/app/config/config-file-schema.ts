import { parseTime } from '@natter/sdk';
import * as v from 'valibot';
import {
  type ConnectorSettings,
  type ConversationSettings,
  checkPermissions,
  connectorSettingsSchema,
  conversationSettingsSchema,
  isAccountError,
  isKeyPermission,
  noPermission,
  type RetentionDays,
  retentionDaysSchema,
  type Variant,
} from '../../accounts/index.ts';
import { E164 } from '../../api/numbers/index.ts';
import { readPostgresAddress } from '../../db/index.ts';
import { type DeskEntry, deskEntrySchema } from '../../desk/index.ts';
import { type HandoffProviderConfig, handoffProviderSchema } from '../../handoff/providers/index.ts';
import { type LogLevels, parseLogLevels } from '../../kit/logger.ts';
import type { BusFiles } from '../../realtime/bus/index.ts';
import type { MessagingLimits } from '../../realtime/index.ts';
import {
  type TranslationEndpoint,
  translationSchema,
} from '../../records/translation/translation-endpoint.ts';
import { type OidcConfig, oidcSchema } from '../../staff/index.ts';
import { limitsSchema } from './limits-schema.ts';
import { LISTEN_HOST_HELP, readListenHost } from './listen-host.ts';
import { type RestConfig, restConfigSchema } from './rest-config.ts';

/** A connector as a file describes it. */
export type ConnectorEntry = {
  readonly name: string;
  /** A fixed token; if absent, a random token is created with the connector. */
  readonly token?: string;
  readonly hosts: readonly { readonly kind: 'domain' | 'app'; readonly value: string }[];
  readonly settings: ConnectorSettings;
  readonly environment: string;
};

/** An API key as a file describes it. */
export type KeyEntry = {
  readonly name: string;
  /** A fixed key; if absent, a random key is created. */
  readonly key?: string;
  readonly permissions: readonly string[];
  readonly legacy: boolean;
  readonly region: string | null;
  /** Milliseconds since 1970; null: it does not expire. */
  readonly expires: number | null;
};

/** A project as a file describes it. */
export type ProjectEntry = {
  readonly slug: string;
  readonly id?: string;
  readonly name?: string;
  readonly agent: string | null;
  /** Keys of verified context: key id to secret. */
  readonly contextKeys: Readonly<Record<string, string>>;
  /** Parts of its conversations that the REST interface shows. */
  readonly conversations?: ConversationSettings;
  readonly connectors: readonly ConnectorEntry[];
  readonly variants?: readonly Variant[];
  /** Name of a handoff provider. */
  readonly handoff?: string | null;
  /** Endpoint that translates turns for the record; if absent, turns are not translated. */
  readonly translation?: TranslationEndpoint | null;
  /** How long its data is kept; if absent, the stored setting stays unchanged. */
  readonly retention_days?: RetentionDays;
  /** Phone numbers to reserve, E.164; if absent, the pool stays unchanged. */
  readonly numbers?: readonly string[];
  /** Keys that cover this project. */
  readonly keys?: readonly KeyEntry[];
};

/** An account as a file describes it. */
export type AccountEntry = {
  readonly slug: string;
  readonly id?: string;
  readonly name?: string;
  readonly projects: readonly ProjectEntry[];
  /** Keys that cover the whole account. */
  readonly keys?: readonly KeyEntry[];
  /** Its queues and people. */
  readonly desk?: DeskEntry;
};

const text = v.pipe(v.string('must be a text, in quotes'), v.trim(), v.nonEmpty('must not be empty'));
const list = 'must be a list, in square brackets';

const host = v.union(
  [
    // Short form: a string is a domain.
    v.pipe(
      text,
      v.transform((value) => ({ kind: 'domain' as const, value })),
    ),
    v.strictObject({ kind: v.picklist(['domain', 'app'], 'must be "domain" or "app"'), value: text }),
  ],
  'must be a domain such as "example.com", or { "kind": "app", "value": "com.example.app" }',
);

/** Allowed characters and lengths of tokens and keys. */
export const CREDENTIAL: RegExp = /^[\x21-\x7e]{20,256}$/;

/** The error text for an invalid value. */
export const CREDENTIAL_HELP = 'must have 20 to 256 printable characters without spaces';

const credential = v.pipe(text, v.regex(CREDENTIAL, CREDENTIAL_HELP));

const connector = v.strictObject({
  name: text,
  token: v.exactOptional(credential),
  hosts: v.pipe(v.array(host, list), v.minLength(1, 'must name at least one host')),
  settings: v.optional(connectorSettingsSchema, {}),
  environment: v.optional(text, 'live'),
});

const permission = v.pipe(
  text,
  v.check(isKeyPermission, ({ input }) => noPermission(input)),
);

const keyFields = v.strictObject({
  name: text,
  key: v.exactOptional(credential),
  permissions: v.pipe(v.array(permission, list), v.minLength(1, 'must name at least one permission')),
  legacy: v.optional(v.boolean('must be true or false'), false),
  region: v.optional(v.nullable(text), null),
  expires: v.optional(
    v.nullable(
      v.pipe(
        text,
        v.check((day) => parseTime(day) !== null, 'must be a day such as "2027-01-31"'),
        v.transform(parseTime),
      ),
    ),
    null,
  ),
});

/** A key of an account or of a project. Permissions that do not go together are a fault of the file, like any other. */
const keyOf = (projectId: string | null) =>
  v.pipe(
    keyFields,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const { permissions, legacy } = dataset.value;
      const known = permissions.filter(isKeyPermission);
      if (known.length < permissions.length || known.length === 0) return;
      try {
        checkPermissions([...new Set(known)], { accountId: 'of the file', projectId, isLegacy: legacy });
      } catch (error) {
        if (!isAccountError(error)) throw error;
        addIssue({ message: error.message });
      }
    }),
  );

const secret = v.pipe(text, v.minLength(32, 'must have at least 32 characters'));

const variant = v.strictObject({
  id: text,
  name: text,
  agent: v.optional(v.nullable(text), null),
  weight: v.optional(
    v.nullable(v.pipe(v.number('must be a number'), v.minValue(0, 'must be at least 0'))),
    null,
  ),
});

const project = v.strictObject({
  slug: text,
  id: v.exactOptional(text),
  name: v.exactOptional(text),
  agent: v.optional(v.nullable(text), null),
  contextKeys: v.optional(v.record(text, secret, 'must be an object of key id to secret'), {}),
  conversations: v.exactOptional(conversationSettingsSchema),
  connectors: v.optional(v.array(connector, list), []),
  variants: v.optional(v.array(variant, list), []),
  handoff: v.optional(v.nullable(text), null),
  translation: v.optional(v.nullable(translationSchema), null),
  retention_days: v.exactOptional(retentionDaysSchema),
  numbers: v.exactOptional(
    v.array(v.pipe(text, v.regex(E164, 'must be a phone number such as "+441632960001"')), list),
  ),
  keys: v.optional(v.array(keyOf('of the file'), list), []),
});

const account = v.strictObject({
  slug: text,
  id: v.exactOptional(text),
  name: v.exactOptional(text),
  projects: v.optional(v.array(project, list), []),
  keys: v.optional(v.array(keyOf(null), list), []),
  desk: v.exactOptional(deskEntrySchema),
});

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
      tokenSecrets: v.optional(v.array(secret, list), []),
    }),
    {},
  ),
  accessLog: v.exactOptional(v.boolean('must be true or false')),
  logLevel: v.exactOptional(logLevels),
  accounts: v.optional(v.array(account, list), []),
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
