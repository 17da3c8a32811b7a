import { defaultVocabulary } from 'natter/protocol';
import type { Upstream } from './call-upstream.ts';
import { ChatReferences } from './chat-references.ts';
import { type Clock, systemClock } from './clock.ts';
import { createHealthProbe } from './health-probe.ts';
import { guardLog, type Log, silentLog } from './log.ts';
import type { Connector, TokenProxyOptions } from './options.ts';
import { normalizeOrigin, type OriginRules } from './origin-policy.ts';
import { createRedactor } from './redact.ts';
import { createLimitKeeper, DEFAULT_LIMITS, type LimitKeeper } from './request-limits.ts';
import { CORRELATION_HEADER, VENDOR_CORRELATION_HEADER } from './respond.ts';
import { SessionTickets } from './session-tickets.ts';
import { createSetupFindings, type SetupFindings } from './setup-findings.ts';
import { createSocketReach, type SocketReach } from './socket-reach.ts';
import type { UpstreamAddress } from './start-session.ts';
import { fetchTraced } from './trace-requests.ts';
import { deriveWebsocketUrl, trimBaseUrl } from './upstream-url.ts';
import { VERSION } from './version.ts';

/** Settings, clients and state that the routes of one proxy share. */
export interface ProxyContext {
  readonly options: TokenProxyOptions;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly clock: Clock;
  readonly log: Log;
  /** Text of an error for the log, without secrets. */
  readonly describeFault: (error: unknown) => string;
  readonly origins: OriginRules;
  readonly limits: LimitKeeper;
  /** Longest time of a request, for routes that have no other. */
  readonly deadlineMs: number;
  readonly upstream: Upstream;
  readonly address: UpstreamAddress;
  /** `wss://host/ws`, without parameters. */
  readonly websocketUrl: string;
  readonly tickets: SessionTickets;
  readonly chats: ChatReferences;
  /** Whether the messaging host says that it is ready. Never rejects. */
  readonly isPlatformUp: () => Promise<boolean>;
  readonly reach: SocketReach;
  readonly findings: SetupFindings;
}

// A call with all its retries (after 1, 2 and 4 s) fits into this, and a visitor still waits for it.
const DEFAULT_DEADLINE_MS = 20_000;
const DEFAULT_ATTEMPT_TIMEOUT_MS = 6_000;
const HEALTH_TIMEOUT_MS = 3_000;

/** Creates the context of one proxy. The options have been checked. */
export function createProxyContext(options: TokenProxyOptions): ProxyContext {
  const clock = options.clock ?? systemClock;
  const nowMs = (): number => clock.now();
  const log = guardLog(options.log ?? silentLog);
  const connectors = new Map(Object.entries(options.connectors));
  const attemptTimeoutMs = options.attemptTimeoutMs ?? DEFAULT_ATTEMPT_TIMEOUT_MS;
  const websocketUrl = options.websocketUrl ?? deriveWebsocketUrl(options.upstreamUrl);
  const address = createUpstreamAddress(options);
  const send = options.fetch ?? ((input: string, init: RequestInit) => fetch(input, init));
  const findings = createSetupFindings(options, log, clock);
  return {
    options,
    connectors,
    clock,
    log,
    describeFault: createFaultWriter(options),
    origins: createOriginRules(options),
    limits: createLimitKeeper({ ...DEFAULT_LIMITS, ...options.limits }, options.createLimiter, log),
    deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
    upstream: { fetch: fetchTraced(send), clock, attemptTimeoutMs },
    address,
    websocketUrl,
    tickets: new SessionTickets(options, connectors, nowMs),
    chats: new ChatReferences(options, connectors, nowMs),
    isPlatformUp: createHealthProbe({
      fetch: send,
      baseUrl: address.baseUrl,
      clock,
      timeoutMs: HEALTH_TIMEOUT_MS,
    }),
    reach: createSocketReach(options.handshake, websocketUrl, attemptTimeoutMs, findings.socketUnreachable),
    findings,
  };
}

function createUpstreamAddress({ upstreamUrl }: TokenProxyOptions): UpstreamAddress {
  const baseUrl = trimBaseUrl(upstreamUrl);
  const isVendor = defaultVocabulary(new URL(baseUrl).hostname) === 'poly';
  return {
    baseUrl,
    correlationHeader: isVendor ? VENDOR_CORRELATION_HEADER : CORRELATION_HEADER,
    userAgent: `natter-token-proxy/${VERSION}`,
  };
}

const createOriginRules = (options: TokenProxyOptions): OriginRules => ({
  listed: new Set(options.allowedOrigins.map(normalizeOrigin).filter((origin) => origin !== null)),
  mayOmitOrigin: options.allowRequestsWithoutOrigin === true || options.authorize !== undefined,
});

function createFaultWriter({ connectors, ticketKeys }: TokenProxyOptions): (error: unknown) => string {
  const secrets = Object.values(connectors).flatMap(({ token, chat }) =>
    chat === undefined ? [token] : [token, chat.apiKey],
  );
  const redact = createRedactor([...secrets, ...ticketKeys]);
  return (error) =>
    redact(error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : typeof error);
}
