import { KNOWN_TYPES } from '@natter/server-kit/file-types';
import * as v from 'valibot';
import { normalizeOrigin } from './http/origin-policy.ts';
import { DEFAULT_LIMITS, type RequestLimits } from './http/request-limits.ts';
import { isRecord } from './kit/is-record.ts';
import type { Connector, TokenProxyOptions } from './options.ts';
import { DEFAULT_RELAY_SOCKETS, type RelayOptions } from './relay/relay-options.ts';
import { isTicketKey } from './sessions/ticket-key.ts';
import {
  checkEach,
  findProblems,
  fromVariable,
  hook,
  list,
  MISSING,
  numberSetting,
  readList,
  type SettingProblem,
  type Settings,
  service,
  switchSetting,
  text,
  wholeNumber,
} from './settings.ts';
import type { Uploads } from './uploads/upload-options.ts';
import { findUrlProblem, isInsecureRemote } from './upstream/upstream-url.ts';

type Options = TokenProxyOptions & RelayOptions;

/** A schema for each member of an interface, of that member's type. */
type SchemasOf<Interface> = {
  readonly [Name in keyof Interface]-?: v.GenericSchema<unknown, Given<Interface[Name]>>;
};
/** A property that is optional in an object may also be `undefined`. */
type Given<Value> = Value extends Partial<RequestLimits> | Uploads
  ? { readonly [Name in keyof Value]: Value[Name] | undefined }
  : Value;

const MAX_TICKET_KEYS = 8;
const CONNECTOR_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const HEADER_NAME = /^[A-Za-z0-9-]{1,64}$/;
// Printable ASCII without spaces, which a header can contain unchanged.
const HEADER_WORD = /^[\x21-\x7e]+$/;
const BASE_PATH = /^(?:\/[A-Za-z0-9._~-]+)*$/;

const headerWord = v.pipe(
  text,
  v.regex(HEADER_WORD, 'holds a space, a line break or a character outside ASCII'),
);
const host = v.pipe(
  text,
  v.check(
    (name) => HEADER_WORD.test(name) && !/[*@\\]/.test(name),
    'is not a registered host: no spaces, wildcards or @, and international names in their xn-- form',
  ),
);
const address = (secure: 'https:' | 'wss:', isPlainAllowed: boolean) =>
  v.pipe(
    text,
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? findUrlProblem(dataset.value, secure, isPlainAllowed) : null;
      if (problem !== null) addIssue({ message: problem });
    }),
  );
/** Environment variables of limits. Files and searches need a hook, which no variable can set. */
const LIMIT_VARIABLES: Readonly<Record<string, readonly [name: string, purpose: string, example: string]>> = {
  sessionsPerClient: ['NATTER_SESSIONS_PER_CLIENT', 'Sessions a minute per client address', '30'],
  resumesPerClient: ['NATTER_RESUMES_PER_CLIENT', 'Resumes a minute per client address', '120'],
  turnsPerClient: [
    'NATTER_TURNS_PER_CLIENT',
    'Turns a minute of a chat without a socket per client address',
    '60',
  ],
  sessionsTotal: ['NATTER_SESSIONS_TOTAL', 'Sessions a minute in total', '2000'],
  resumesTotal: ['NATTER_RESUMES_TOTAL', 'Resumes a minute in total', '20000'],
  turnsTotal: ['NATTER_TURNS_TOTAL', 'Turns a minute of chats without a socket in total', '10000'],
};
const limitSettings: Settings = Object.fromEntries(
  Object.entries(DEFAULT_LIMITS).map(([limit, points]) => {
    const [name, purpose, example] = LIMIT_VARIABLES[limit] ?? [];
    if (name === undefined || purpose === undefined || example === undefined)
      return [limit, wholeNumber(0, 1_000_000)];
    const about = { name, purpose: `${purpose}; 0 turns the limit off.`, fallback: `${points}`, example };
    return [limit, numberSetting(0, 1_000_000, about)];
  }),
);

/** Dependencies between options. */
interface Conditions {
  readonly isPlainAllowed: boolean;
  readonly isRelay: boolean;
  /** Whether callers without an origin are admitted. */
  readonly mayOmitOrigin: boolean;
  readonly hasAuthorize: boolean;
  /** Whether a browser could not open a socket at the address derived from `upstreamUrl`. */
  readonly needsWebsocketUrl: boolean;
}

const readConditions = (options: Partial<Options>): Conditions => {
  const isPlainAllowed = options.allowHttpUpstream === true;
  const isRelay = options.relay === true;
  const hasAuthorize = options.authorize !== undefined;
  const isPlain = isPlainAllowed && isInsecureRemote(String(options.upstreamUrl));
  return {
    isPlainAllowed,
    isRelay,
    mayOmitOrigin: options.allowRequestsWithoutOrigin === true || hasAuthorize,
    hasAuthorize,
    needsWebsocketUrl: isPlain && !isRelay,
  };
};

/** Settings of one connector. */
const connectorSettings = ({ isPlainAllowed }: Pick<Conditions, 'isPlainAllowed'>) =>
  ({
    token: fromVariable(headerWord, {
      name: 'NATTER_CONNECTOR_TOKEN',
      purpose: 'Secret token of the connector called "default".',
      fallback: 'required unless NATTER_CONNECTORS is set',
      example: '<the token shown when the connector was made>',
    }),
    host: fromVariable(host, {
      name: 'NATTER_CONNECTOR_HOST',
      purpose: 'Host or app namespace registered for that connector, exactly as registered.',
      fallback: 'required unless NATTER_CONNECTORS is set',
      example: 'www.example.com',
    }),
    chat: v.optional(
      v.object(
        {
          baseUrl: fromVariable(address('https:', isPlainAllowed), {
            name: 'NATTER_CHAT_URL',
            purpose: 'Runtime service with the turn-based chat, for visitors whose network blocks sockets.',
            fallback: 'no chat without a socket',
            example: 'https://api.example.com',
          }),
          apiKey: fromVariable(headerWord, {
            name: 'NATTER_CHAT_API_KEY',
            purpose: 'Secret API key of that service, permitted for chat.',
            fallback: 'needed with NATTER_CHAT_URL',
            example: '<the key shown when it was made>',
          }),
          accountId: fromVariable(headerWord, {
            name: 'NATTER_CHAT_ACCOUNT',
            purpose: 'Account of the chat, slug or id.',
            fallback: 'needed with NATTER_CHAT_URL',
            example: 'kittiwake',
          }),
          projectId: fromVariable(headerWord, {
            name: 'NATTER_CHAT_PROJECT',
            purpose: 'Project of the chat, slug or id.',
            fallback: 'needed with NATTER_CHAT_URL',
            example: 'web',
          }),
        },
        MISSING,
      ),
    ),
  }) satisfies SchemasOf<Connector>;

/** Every option, in the order of `--help`. Settings of the command name their environment variable. */
const optionSettings = (conditions: Conditions) =>
  ({
    upstreamUrl: fromVariable(address('https:', conditions.isPlainAllowed), {
      name: 'NATTER_UPSTREAM_URL',
      purpose: 'Messaging host; https, or http on a loopback host.',
      fallback: 'required',
      example: 'https://messaging.example.com',
    }),
    allowHttpUpstream: switchSetting({
      name: 'NATTER_ALLOW_HTTP_UPSTREAM',
      purpose:
        'Allow http on any host for NATTER_UPSTREAM_URL and NATTER_CHAT_URL: for private networks only, such as between containers. NATTER_WEBSOCKET_URL is then required.',
      fallback: 'false',
      example: 'true',
    }),
    websocketUrl: fromVariable(
      conditions.needsWebsocketUrl
        ? v.pipe(
            v.unknown(),
            v.check(
              (value) => value !== undefined,
              'is missing: browsers cannot open a socket to the http address of upstreamUrl, so give the wss address at which they reach the platform',
            ),
            address('wss:', false),
          )
        : v.optional(address('wss:', conditions.isPlainAllowed && conditions.isRelay)),
      {
        name: 'NATTER_WEBSOCKET_URL',
        purpose: 'Where browsers open the socket, without parameters.',
        fallback: 'NATTER_UPSTREAM_URL with wss and /ws',
        example: 'wss://messaging.example.com/ws',
      },
    ),
    // Their contents are checked separately.
    connectors: fromVariable(
      v.custom<Readonly<Record<string, Connector>>>(
        (value) => isRecord(value) && Object.keys(value).length > 0,
        'is missing: at least one connector with token and host is needed',
      ),
      {
        name: 'NATTER_CONNECTORS',
        purpose: 'Several connectors by name, as JSON.',
        fallback: 'none',
        example:
          '{"default":{"token":"<token>","host":"www.example.com"},"sales":{"token":"<token>","host":"shop.example.com"}}',
      },
    ),
    ticketKeys: fromVariable(
      v.pipe(
        list('is missing: create a key with `natter-token-proxy key`'),
        v.maxLength(MAX_TICKET_KEYS, `holds more than ${MAX_TICKET_KEYS} keys`),
        checkEach((key, index) =>
          typeof key === 'string' && isTicketKey(key)
            ? null
            : `has no usable key at place ${index + 1}: each is 32 random bytes in base64url (43 characters), made with \`natter-token-proxy key\``,
        ),
      ),
      {
        name: 'NATTER_TICKET_KEYS',
        purpose: 'Keys that encrypt resume tickets, separated by commas; the first encrypts, all decrypt.',
        fallback: 'required',
        example: '<printed by: natter-token-proxy key>',
      },
      readList,
    ),
    allowedOrigins: fromVariable(
      v.pipe(
        list('is missing: no page could use the proxy', conditions.mayOmitOrigin ? 0 : 1),
        checkEach((origin) => {
          const normal = typeof origin === 'string' ? normalizeOrigin(origin) : null;
          if (normal === null)
            return `holds ${JSON.stringify(String(origin).slice(0, 100))}, which is not one exact origin without a path`;
          return normal === 'null' && !conditions.hasAuthorize
            ? 'holds null, which any sandboxed page can send: it needs an authorize hook that checks a credential'
            : null;
        }),
      ),
      {
        name: 'NATTER_ALLOWED_ORIGINS',
        purpose: 'Exact origins of the pages that may use the proxy, separated by commas.',
        fallback: 'required unless NATTER_ALLOW_REQUESTS_WITHOUT_ORIGIN is true',
        example: 'https://www.example.com,https://shop.example.com',
      },
      readList,
    ),
    allowRequestsWithoutOrigin: switchSetting({
      name: 'NATTER_ALLOW_REQUESTS_WITHOUT_ORIGIN',
      purpose: 'Also serve callers that are not browsers.',
      fallback: 'false',
      example: 'true',
    }),
    authorize: hook<NonNullable<Options['authorize']>>(),
    chooseVariant: hook<NonNullable<Options['chooseVariant']>>(),
    onFeedback: hook<NonNullable<Options['onFeedback']>>(),
    onContactRequest: hook<NonNullable<Options['onContactRequest']>>(),
    onSearch: hook<NonNullable<Options['onSearch']>>(),
    onArticle: hook<NonNullable<Options['onArticle']>>(),
    allowedHeaders: v.optional(
      v.custom<readonly string[]>(
        (names) =>
          Array.isArray(names) && names.every((name) => typeof name === 'string' && HEADER_NAME.test(name)),
        'contains an invalid header name',
      ),
    ),
    relay: switchSetting({
      name: 'NATTER_RELAY',
      purpose:
        "Relay visitors' sockets, so that browsers see neither the access token nor the messaging host.",
      fallback: 'false',
      example: 'true',
    }),
    relaySocketsPerClient: numberSetting(1, 1_000_000, {
      name: 'NATTER_RELAY_SOCKETS_PER_CLIENT',
      purpose: 'With the relay: sockets that one client address may have open at once.',
      fallback: String(DEFAULT_RELAY_SOCKETS.perClient),
      example: '500',
    }),
    relaySocketsTotal: numberSetting(1, 1_000_000, {
      name: 'NATTER_RELAY_SOCKETS_TOTAL',
      purpose: 'With the relay: total of sockets open at once; each uses two file descriptors.',
      fallback: String(DEFAULT_RELAY_SOCKETS.total),
      example: '30000',
    }),
    basePath: fromVariable(
      v.optional(
        v.pipe(
          v.string('must begin with a slash and not end with one'),
          v.regex(BASE_PATH, 'must begin with a slash and not end with one'),
        ),
      ),
      {
        name: 'NATTER_BASE_PATH',
        purpose: 'Path under which the proxy is mounted.',
        fallback: 'the root',
        example: '/api/chat',
      },
    ),
    trustedProxyHops: numberSetting(0, 10, {
      name: 'NATTER_TRUSTED_PROXY_HOPS',
      purpose: 'How many of your own proxies append to X-Forwarded-For.',
      fallback: '0',
      example: '1',
    }),
    limits: v.optional(v.object(limitSettings, 'is not an object')),
    createLimiter: hook<NonNullable<Options['createLimiter']>>(),
    ticketLifetimeSeconds: numberSetting(30, 86_400, {
      name: 'NATTER_TICKET_LIFETIME_SECONDS',
      purpose: 'How long a resume ticket lives; each resume renews it.',
      fallback: '600; 900 with the relay',
      example: '600',
    }),
    revocations: service<NonNullable<Options['revocations']>>(),
    uploads: v.optional(
      v.object(
        {
          onUpload: v.custom<Uploads['onUpload']>((value) => typeof value === 'function', MISSING),
          types: v.optional(
            v.custom<readonly string[]>(
              (types) =>
                Array.isArray(types) && types.length > 0 && types.every((type) => KNOWN_TYPES.includes(type)),
              `may only contain these: ${KNOWN_TYPES.join(', ')}`,
            ),
          ),
          maxBytes: wholeNumber(1, 1_073_741_824),
          deadlineMs: wholeNumber(1_000, 600_000),
        } satisfies SchemasOf<Uploads>,
        MISSING,
      ),
    ),
    deadlineMs: numberSetting(1, 120_000, {
      name: 'NATTER_DEADLINE_MS',
      purpose: 'Time limit of a request, including retries.',
      fallback: '20000',
      example: '15000',
    }),
    attemptTimeoutMs: numberSetting(1, 120_000, {
      name: 'NATTER_ATTEMPT_TIMEOUT_MS',
      purpose: 'Time limit of one call to the messaging host before it is retried.',
      fallback: '6000',
      example: '4000',
    }),
    handshake: hook<NonNullable<Options['handshake']>>(),
    fetch: hook<NonNullable<Options['fetch']>>(),
    readEmbedFile: hook<NonNullable<Options['readEmbedFile']>>(),
    log: service<NonNullable<Options['log']>>(),
    clock: service<NonNullable<Options['clock']>>(),
  }) satisfies SchemasOf<Options>;

/** The settings of any proxy, for uses that do not depend on their values. */
export const OPTION_SETTINGS: Settings = optionSettings(readConditions({}));
/** The settings of a connector without deployment conditions. */
export const CONNECTOR_SETTINGS: Settings = connectorSettings({ isPlainAllowed: false });

/** Finds all problems of the options, in the order of the settings. Pure; quotes no secret. */
export function findOptionProblems(options: Readonly<Record<string, unknown>>): readonly SettingProblem[] {
  const conditions = readConditions(options);
  return Object.entries(optionSettings(conditions)).flatMap(([name, schema]) => [
    ...findProblems({ [name]: schema }, options),
    ...(name === 'connectors' && isRecord(options['connectors'])
      ? findConnectorProblems(options['connectors'], connectorSettings(conditions))
      : []),
  ]);
}

const findConnectorProblems = (
  connectors: Readonly<Record<string, unknown>>,
  settings: Settings,
): readonly SettingProblem[] =>
  Object.entries(connectors).flatMap(([name, connector]) => {
    const isNamed = CONNECTOR_NAME.test(name);
    const path = ['connectors', isNamed ? name : '?'];
    const problem = 'has a name that is not 1 to 64 letters, digits, dots, dashes or underscores';
    return [
      ...(isNamed ? [] : [{ path, problem }]),
      ...findProblems(settings, isRecord(connector) ? connector : {}, path),
    ];
  });
