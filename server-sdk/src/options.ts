import { NatterError } from './errors/natter-error.ts';
import { checkRetries, checkTimeout } from './http/call-options.ts';
import { type Clock, systemClock } from './http/clock.ts';
import type { Family, Service } from './http/operation.ts';
import { type HostOptions, resolveHosts } from './http/resolve-hosts.ts';
import type { TransportSettings } from './http/transport.ts';
import { CORRELATION_HEADERS, usesVendorNames, type VendorNames } from './schema/vendor-names.ts';

/** Options of a client: a region or base URLs, and the required keys. */
export interface NatterOptions extends HostOptions {
  /** Key of the runtime service. */
  readonly apiKey?: string | undefined;
  /** Key of the monitoring service: voice, alert rules, alerts, webhook endpoints, conversation by id. */
  readonly monitorApiKey?: string | undefined;
  /** Keys of the resources that need a separate key, such as `externalEvents` and `numbers`. */
  readonly apiKeys?: Readonly<Partial<Record<Family, string | undefined>>> | undefined;
  /** Token of the connector; for chat. */
  readonly connectorToken?: string | undefined;
  /** Account for all calls that name one; slug or prefixed id. */
  readonly accountId?: string | undefined;
  /** Project for all calls that name one; slug or prefixed id. */
  readonly projectId?: string | undefined;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Time limit of one attempt; for streamed lists, of the silence between two pieces. Default 60000. */
  readonly timeoutMs?: number | undefined;
  /** How often a repeatable call is repeated: 0 to 10. Default 2. */
  readonly retries?: number | undefined;
  /** The client does not wait for a longer `Retry-After`; the error states it. Default 30000. */
  readonly maxRetryDelayMs?: number | undefined;
  /** Sends the vendor's header and field names, for all route groups or some. Both are always accepted in responses. */
  readonly vendorNames?: VendorNames | undefined;
  /** Clock and randomness; for tests. */
  readonly clock?: Clock | undefined;
}

/** Validated options with defaults filled in. */
export interface ReadOptions {
  readonly settings: TransportSettings;
  readonly accountId: string | null;
  readonly projectId: string | null;
  readonly vendorNames: VendorNames;
}

// An agent's turn may need a model's whole answer.
const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 2;
const DEFAULT_MAX_RETRY_DELAY_MS = 30_000;

/** Checks the options. @throws NatterError `INVALID_CONFIGURATION`, `REGION_REQUIRED` */
export function readOptions(options: NatterOptions): ReadOptions {
  const apiKeys = options.apiKeys ?? {};
  const vendorNames = options.vendorNames ?? false;
  const secrets = [
    options.apiKey,
    options.monitorApiKey,
    options.connectorToken,
    ...Object.values(apiKeys),
  ].filter((secret) => secret !== undefined);
  for (const [name, secret] of [
    ['apiKey', options.apiKey],
    ['monitorApiKey', options.monitorApiKey],
    ['connectorToken', options.connectorToken],
    ...Object.entries(apiKeys).map(([family, key]) => [`apiKeys.${family}`, key] as const),
  ] as const) {
    checkSecret(name, secret);
  }
  // Looked up when called, so that a replaced or instrumented fetch is used.
  const callFetch: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  return {
    settings: {
      hosts: resolveHosts(options),
      keyOf: (family, service) => keyOf(options, family, service),
      connectorToken: options.connectorToken ?? null,
      correlationHeaderOf: (family) =>
        CORRELATION_HEADERS[usesVendorNames(vendorNames, family) ? 'vendor' : 'neutral'],
      fetch: callFetch,
      timeoutMs: checkTimeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 'INVALID_CONFIGURATION'),
      retries: checkRetries(options.retries ?? DEFAULT_RETRIES, 'INVALID_CONFIGURATION'),
      maxRetryDelayMs: options.maxRetryDelayMs ?? DEFAULT_MAX_RETRY_DELAY_MS,
      clock: options.clock ?? systemClock,
      secrets,
    },
    accountId: options.accountId ?? null,
    projectId: options.projectId ?? null,
    vendorNames,
  };
}

// The two services have separate keys, so one never replaces the other (C-1). Conversations are read from both; a key
// configured for them belongs to the runtime service.
function keyOf(options: NatterOptions, family: Family, service: Service): string | null {
  if (service === 'monitoring' && family === 'conversations') return options.monitorApiKey ?? null;
  return (
    options.apiKeys?.[family] ?? (service === 'runtime' ? options.apiKey : options.monitorApiKey) ?? null
  );
}

// fetch quotes an invalid header value in its error, so an invalid secret must not reach it. The message only names it.
function checkSecret(name: string, secret: string | undefined): void {
  if (secret === undefined || /^[\x21-\x7e]+$/.test(secret)) return;
  throw new NatterError({
    code: 'INVALID_CONFIGURATION',
    text: `${name} must be visible ASCII without spaces`,
    advice:
      secret === '' ? 'It is empty: check the setting it comes from.' : 'Check it for line breaks or quotes.',
  });
}
