import { KNOWN_TYPES } from './file-types.ts';
import { isRecord } from './is-record.ts';
import type { TokenProxyOptions } from './options.ts';
import { normalizeOrigin } from './origin-policy.ts';
import { LIMIT_NAMES } from './request-limits.ts';
import { isTicketKey } from './ticket-key.ts';
import { findUrlProblem, isPlainElsewhere } from './upstream-url.ts';

/** One setting that cannot be used. `problem` continues a sentence that begins with the setting's name; it quotes no secret. */
export interface OptionProblem {
  /** Path of the option, such as `connectors.default.token`. */
  readonly option: string;
  readonly problem: string;
}

const MAX_TICKET_KEYS = 8;
const CONNECTOR_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const HEADER_NAME = /^[A-Za-z0-9-]{1,64}$/;
// Printable ASCII without a space: what a header value can carry unchanged.
const HEADER_WORD = /^[\x21-\x7e]+$/;
const BASE_PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;

function* checkChatAccess(
  option: string,
  access: unknown,
  isPlainAllowed: boolean,
): Generator<OptionProblem> {
  const fields = isRecord(access) ? access : {};
  yield* checkUrl(`${option}.baseUrl`, fields['baseUrl'], 'https:', isPlainAllowed);
  for (const name of ['apiKey', 'accountId', 'projectId']) {
    const value = fields[name];
    if (typeof value !== 'string' || value === '')
      yield { option: `${option}.${name}`, problem: 'is missing' };
    else if (!HEADER_WORD.test(value)) {
      yield {
        option: `${option}.${name}`,
        problem: 'holds a space, a line break or a character outside ASCII',
      };
    }
  }
}

function* checkConnectors(connectors: unknown, isPlainAllowed: boolean): Generator<OptionProblem> {
  if (!isRecord(connectors) || Object.keys(connectors).length === 0) {
    yield {
      option: 'connectors',
      problem: 'is missing: at least one connector with token and host is needed',
    };
    return;
  }
  for (const [name, connector] of Object.entries(connectors)) {
    const option = `connectors.${CONNECTOR_NAME.test(name) ? name : '?'}`;
    if (!CONNECTOR_NAME.test(name)) {
      yield {
        option,
        problem: 'has a name that is not 1 to 64 letters, digits, dots, dashes or underscores',
      };
    }
    const fields = isRecord(connector) ? connector : {};
    const { token, host } = fields;
    if (typeof token !== 'string' || token === '') yield { option: `${option}.token`, problem: 'is missing' };
    else if (!HEADER_WORD.test(token)) {
      yield {
        option: `${option}.token`,
        problem: 'holds a space, a line break or a character outside ASCII',
      };
    }
    if (typeof host !== 'string' || host === '') yield { option: `${option}.host`, problem: 'is missing' };
    else if (!HEADER_WORD.test(host) || /[*@\\]/.test(host)) {
      yield {
        option: `${option}.host`,
        problem:
          'is no registered host: no spaces, wildcards or @, and international names in their xn-- form',
      };
    }
    if (fields['chat'] !== undefined)
      yield* checkChatAccess(`${option}.chat`, fields['chat'], isPlainAllowed);
  }
}

function* checkOrigins(options: TokenProxyOptions): Generator<OptionProblem> {
  const origins: unknown = options.allowedOrigins;
  if (!Array.isArray(origins) || origins.length === 0) {
    if (options.allowRequestsWithoutOrigin === true || options.authorize !== undefined) return;
    yield { option: 'allowedOrigins', problem: 'is missing: nobody could use the proxy' };
    return;
  }
  for (const origin of origins) {
    if (typeof origin !== 'string' || normalizeOrigin(origin) === null) {
      const shown = JSON.stringify(String(origin).slice(0, 100));
      yield {
        option: 'allowedOrigins',
        problem: `holds ${shown}, which is not one exact origin without a path`,
      };
    } else if (normalizeOrigin(origin) === 'null' && options.authorize === undefined) {
      yield {
        option: 'allowedOrigins',
        problem:
          'holds null, which any sandboxed page can send: it needs an authorize hook that checks a credential',
      };
    }
  }
}

function* checkTicketKeys(keys: unknown): Generator<OptionProblem> {
  if (!Array.isArray(keys) || keys.length === 0) {
    yield { option: 'ticketKeys', problem: 'is missing: make a key with `natter-token-proxy key`' };
    return;
  }
  if (keys.length > MAX_TICKET_KEYS)
    yield { option: 'ticketKeys', problem: `holds more than ${MAX_TICKET_KEYS} keys` };
  for (const [index, key] of keys.entries()) {
    if (typeof key !== 'string' || !isTicketKey(key)) {
      yield {
        option: 'ticketKeys',
        problem: `has no usable key at place ${index + 1}: each is 32 random bytes in base64url (43 characters), made with \`natter-token-proxy key\``,
      };
    }
  }
}

function checkNumber(option: string, value: unknown, min: number, max: number): readonly OptionProblem[] {
  if (value === undefined) return [];
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return [];
  return [{ option, problem: `must be a whole number from ${min} to ${max}` }];
}

function checkUrl(
  option: string,
  value: unknown,
  secure: 'https:' | 'wss:',
  isPlainAllowed = false,
): readonly OptionProblem[] {
  if (typeof value !== 'string' || value === '') return [{ option, problem: 'is missing' }];
  const problem = findUrlProblem(value, secure, isPlainAllowed);
  return problem === null ? [] : [{ option, problem }];
}

function checkUploads(uploads: unknown): readonly OptionProblem[] {
  if (uploads === undefined) return [];
  const { onUpload, maxBytes, types, deadlineMs } = isRecord(uploads) ? uploads : {};
  const listed = types === undefined ? [] : Array.isArray(types) && types.length > 0 ? types : [null];
  return [
    ...(typeof onUpload === 'function' ? [] : [{ option: 'uploads.onUpload', problem: 'is missing' }]),
    ...(listed.every((type) => KNOWN_TYPES.includes(type))
      ? []
      : [{ option: 'uploads.types', problem: `may hold these and no others: ${KNOWN_TYPES.join(', ')}` }]),
    ...checkNumber('uploads.maxBytes', maxBytes, 1, 1_073_741_824),
    ...checkNumber('uploads.deadlineMs', deadlineMs, 1_000, 600_000),
  ];
}

function checkWebsocketUrl(
  { upstreamUrl, websocketUrl }: TokenProxyOptions,
  isPlainAllowed: boolean,
): readonly OptionProblem[] {
  if (websocketUrl !== undefined) return checkUrl('websocketUrl', websocketUrl, 'wss:');
  if (!isPlainAllowed || !isPlainElsewhere(upstreamUrl)) return [];
  return [
    {
      option: 'websocketUrl',
      problem:
        'is missing: browsers cannot open a socket to the http address of upstreamUrl, so give the wss address at which they reach the platform',
    },
  ];
}

/** Everything that is wrong with the options, in the order of their declaration. Pure; quotes no secret. */
export function findOptionProblems(options: TokenProxyOptions): readonly OptionProblem[] {
  const { basePath, allowedHeaders, limits } = options;
  const isPlainAllowed = options.allowHttpUpstream === true;
  const wrongHeaders = (allowedHeaders ?? []).filter((name) => !HEADER_NAME.test(name));
  return [
    ...checkUrl('upstreamUrl', options.upstreamUrl, 'https:', isPlainAllowed),
    ...checkWebsocketUrl(options, isPlainAllowed),
    ...checkConnectors(options.connectors, isPlainAllowed),
    ...checkTicketKeys(options.ticketKeys),
    ...checkOrigins(options),
    ...(wrongHeaders.length === 0
      ? []
      : [{ option: 'allowedHeaders', problem: 'holds something that is no header name' }]),
    ...(basePath === undefined || basePath === '' || BASE_PATH.test(basePath)
      ? []
      : [{ option: 'basePath', problem: 'must begin with a slash and not end with one' }]),
    ...checkNumber('ticketLifetimeSeconds', options.ticketLifetimeSeconds, 30, 86_400),
    ...LIMIT_NAMES.flatMap((name) => checkNumber(`limits.${name}`, limits?.[name], 0, 1_000_000)),
    ...checkUploads(options.uploads),
    ...(options.onSearch === undefined || typeof options.onSearch === 'function'
      ? []
      : [{ option: 'onSearch', problem: 'is no function' }]),
    ...checkNumber('trustedProxyHops', options.trustedProxyHops, 0, 10),
    ...checkNumber('deadlineMs', options.deadlineMs, 1, 120_000),
    ...checkNumber('attemptTimeoutMs', options.attemptTimeoutMs, 1, 120_000),
  ];
}
