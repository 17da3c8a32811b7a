import { isFields } from '../../protocol/index.ts';
import type { ChatClientOptions } from '../chat-client.ts';
import { hasShape } from '../has-shape.ts';
import type { ClientPorts, ClockPort } from '../ports.ts';
import { isUrlAllowed } from './check-url.ts';
import { type Fault, readFault } from './read-fault.ts';

/** A conversation's pair and where to use it, as the proxy writes it. Lives in memory only. Source: TOK-3. */
export interface SessionGrant {
  readonly session_id: string;
  readonly access_token: string;
  /** A span, because this device's clock may be wrong. */
  readonly expires_in_seconds: number;
  /** `wss://host/ws`, without parameters; the proxy's own where it relays the socket. */
  readonly websocket_url: string;
  /** `cookie` where the proxy keeps the ticket in one across a reload. */
  readonly resume_by: string;
  /** Empty when the cookie holds it. */
  readonly resume_ticket: string;
  /** Opens one socket at a proxy that relays them, and stands for the token there. */
  readonly relay_ticket?: unknown;
  /** Of the messaging host, where its name stays with the proxy. */
  readonly vocabulary?: unknown;
  /** What the proxy takes besides, by name: `feedback`. Missing: nothing. */
  readonly offers?: unknown;
}

const GRANT: SessionGrant = {
  session_id: '',
  access_token: '',
  expires_in_seconds: 0,
  websocket_url: '',
  resume_by: '',
  resume_ticket: '',
};

export interface ProxyCallOptions {
  readonly endpoint: string;
  readonly ports: Pick<ClientPorts, 'clock' | 'fetch'>;
  readonly chat: Pick<ChatClientOptions, 'allowInsecure' | 'connector'>;
}

/** Pauses after failed tries. Source: HTTP-9. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000] as const;
/** Source: HTTP-9. */
const DEFAULT_RETRY_AFTER_MS = 5_000;
const MAX_RETRY_AFTER_MS = 30_000;
/** Longer than the proxy itself tries (20 s); one that says nothing by then is as good as unreachable. */
const CALL_TIMEOUT_MS = 25_000;

/** Waits for a time, or until `signal` is aborted. */
const wait = (clock: ClockPort, delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.setTimer(resolve, delayMs);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });

/** Result of a call to the proxy. */
export interface ProxyAnswer {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** How long to wait where it says so, after 429 for one. Source: HTTP-9, HTTP-10. */
  readonly delayMs: number;
}

/**
 * Calls the proxy once: POST with a body and the connector, GET without a body. A call without a signal outlives the page.
 * Never throws.
 */
export async function callProxy(
  { endpoint, ports, chat }: ProxyCallOptions,
  path: string,
  body: object | null,
  signal: AbortSignal | null,
): Promise<ProxyAnswer> {
  const timeout = new AbortController();
  const cancel = ports.clock.setTimer(() => timeout.abort(), CALL_TIMEOUT_MS);
  try {
    const response = await ports.fetch(endpoint + path, {
      // For the cookie with the ticket. Browsers send it for pages of the proxy's own site only.
      credentials: 'include',
      redirect: 'error',
      ...(body && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ connector: chat.connector, ...body }),
      }),
      keepalive: !signal,
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    });
    const { status, headers } = response;
    // A page of some gateway instead of the proxy's JSON: the status has to do.
    const answer: unknown = await response.json().catch(() => null);
    const fields = isFields(answer) ? answer : {};
    // The body says the same as the header, which a page on another origin may not be shown.
    const seconds = Number.parseFloat(headers.get('Retry-After') ?? String(fields['retry_after_seconds']));
    const delayMs = Math.min(seconds >= 0 ? seconds * 1000 : DEFAULT_RETRY_AFTER_MS, MAX_RETRY_AFTER_MS);
    return { status, fields, delayMs };
  } catch {
    // fetch hides why: no network, a refused preflight, a time-out. All of them are "no answer".
    return { status: 0, fields: {}, delayMs: 0 };
  } finally {
    cancel();
  }
}

/**
 * Asks the proxy for a pair, again after faults that may pass. Never throws; what the proxy or the network
 * said wrong is a value, and nothing of the answer gets into it. With `isKept` no call that has begun is cancelled, also not
 * when the page goes. Source: HTTP-9.
 */
export async function requestGrant(
  options: ProxyCallOptions,
  path: '/v1/session' | '/v1/resume' | '/v1/logout',
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  isKept = false,
): Promise<SessionGrant | Fault> {
  for (let failures = 0; ; failures++) {
    const { status, fields, delayMs } = await callProxy(options, path, body, isKept ? null : signal);
    if (status >= 200 && status < 300) {
      const ticket = fields['relay_ticket'];
      const grant = ticket
        ? { ...fields, websocket_url: `${options.endpoint.replace(/^http/, 'ws')}/v1/ws` }
        : fields;
      const isGrant = hasShape(grant, GRANT) && grant.session_id && (ticket || grant.access_token);
      return isGrant && isUrlAllowed(grant.websocket_url, options.chat.allowInsecure)
        ? grant
        : readFault(status);
    }
    const fault = readFault(status, fields['code']);
    const usualMs = RETRY_DELAYS_MS[failures];
    if (!fault.mayComeBack || usualMs === undefined) return fault;
    await wait(options.ports.clock, status === 429 ? delayMs : usualMs, signal);
    if (signal.aborted) return fault;
  }
}

/** False when the proxy says that the platform does not answer, or does not answer itself. */
export async function isServiceUp(options: ProxyCallOptions, signal: AbortSignal): Promise<boolean> {
  const { status } = await callProxy(options, '/v1/health', null, signal);
  return status > 0 && status < 500;
}
