import { defaultVocabulary } from 'natter/protocol';
import { CORRELATION_HEADER, VENDOR_CORRELATION_HEADER } from './http/answers.ts';
import { normalizeOrigin, type OriginRules } from './http/origin-policy.ts';
import { createRequestLimiter, DEFAULT_LIMITS, type RequestLimiter } from './http/request-limits.ts';
import { type Clock, systemClock } from './kit/clock.ts';
import { guardLog, type Log, silentLog } from './kit/log.ts';
import { createRedactor } from './kit/redact.ts';
import { fetchTraced } from './kit/trace-requests.ts';
import type { Connector, TokenProxyOptions } from './options.ts';
import { createSocketReach, type SocketReach } from './probe/socket-reach.ts';
import { RelayTickets } from './relay/relay-tickets.ts';
import { SessionTickets } from './sessions/session-tickets.ts';
import { ChatReferences } from './turns/chat-references.ts';
import type { Upstream } from './upstream/call-upstream.ts';
import { createHealthProbe } from './upstream/health.ts';
import { createSetupFindings, type SetupFindings } from './upstream/setup-findings.ts';
import { deriveWebsocketUrl, trimBaseUrl } from './upstream/upstream-url.ts';
import { VERSION } from './version.ts';

/** Settings, clients and state that the routes of one proxy share. */
export interface ProxyContext {
  readonly options: TokenProxyOptions;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns an error's text for the log, without secrets. */
  readonly describeFault: (error: unknown) => string;
  readonly origins: OriginRules;
  readonly limits: RequestLimiter;
  /** Default time limit of a request. */
  readonly deadlineMs: number;
  readonly upstream: Upstream;
  /** `wss://host/ws`, without parameters. */
  readonly websocketUrl: string;
  readonly tickets: SessionTickets;
  /** `null` if browsers open their sockets at the messaging host. */
  readonly relayTickets: RelayTickets | null;
  readonly chats: ChatReferences;
  /** Whether the messaging host reports that it is ready. Never rejects. */
  readonly isPlatformUp: () => Promise<boolean>;
  readonly reach: SocketReach;
  readonly findings: SetupFindings;
}

// Enough for a call with all its retries (after 1, 2 and 4 s), and still a tolerable wait for a visitor.
const DEFAULT_DEADLINE_MS = 20_000;
const DEFAULT_ATTEMPT_TIMEOUT_MS = 6_000;
const HEALTH_TIMEOUT_MS = 3_000;

/** Creates the context of one proxy, with or without a relay, from validated options. */
export function createProxyContext(options: TokenProxyOptions, isRelay: boolean): ProxyContext {
  const clock = options.clock ?? systemClock;
  const nowMs = (): number => clock.now();
  const log = guardLog(options.log ?? silentLog);
  const connectors = new Map(Object.entries(options.connectors));
  const attemptTimeoutMs = options.attemptTimeoutMs ?? DEFAULT_ATTEMPT_TIMEOUT_MS;
  const websocketUrl = options.websocketUrl ?? deriveWebsocketUrl(options.upstreamUrl);
  const baseUrl = trimBaseUrl(options.upstreamUrl);
  const isVendor = defaultVocabulary(new URL(baseUrl).hostname) === 'poly';
  const send = options.fetch ?? ((input: string, init: RequestInit) => fetch(input, init));
  const findings = createSetupFindings(options, log, clock, isRelay);
  return {
    options,
    connectors,
    clock,
    log,
    describeFault: createFaultWriter(options),
    origins: createOriginRules(options),
    limits: createRequestLimiter({ ...DEFAULT_LIMITS, ...options.limits }, options.createLimiter, log),
    deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
    upstream: {
      baseUrl,
      correlationHeader: isVendor ? VENDOR_CORRELATION_HEADER : CORRELATION_HEADER,
      userAgent: `natter-token-proxy/${VERSION}`,
      fetch: fetchTraced(send),
      clock,
      attemptTimeoutMs,
    },
    websocketUrl,
    tickets: new SessionTickets(options, connectors, nowMs, isRelay),
    relayTickets: isRelay
      ? new RelayTickets({ keys: options.ticketKeys, nowMs, shared: options.revocations })
      : null,
    chats: new ChatReferences(options, connectors, nowMs),
    isPlatformUp: createHealthProbe({
      fetch: send,
      baseUrl,
      clock,
      timeoutMs: HEALTH_TIMEOUT_MS,
    }),
    reach: createSocketReach(options.handshake, websocketUrl, attemptTimeoutMs, findings.socketUnreachable),
    findings,
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
