import { isFields } from '../../protocol/index.ts';
import type { ChatClientOptions } from '../chat-client.ts';
import { hasShape } from '../has-shape.ts';
import type { ClientPorts, ClockPort } from '../ports.ts';
import { isUrlAllowed } from './check-url.ts';
import { type Fault, readFault } from './read-fault.ts';

/** A session's id and token with the socket's address, from the proxy. In memory only. Source: TOK-3. */
export interface SessionGrant {
  readonly session_id: string;
  readonly access_token: string;
  /** A duration, because this device's clock may be wrong. */
  readonly expires_in_seconds: number;
  /** `wss://host/ws`, without parameters; the proxy's address if it relays the socket. */
  readonly websocket_url: string;
  /** `cookie` if the proxy stores the ticket in one across reloads. */
  readonly resume_by: string;
  /** Empty if the cookie contains it. */
  readonly resume_ticket: string;
  /** Opens one socket at a relaying proxy, in place of the token. */
  readonly relay_ticket?: unknown;
  /** Vocabulary of the messaging host, if the proxy hides its name. */
  readonly vocabulary?: unknown;
  /** Further features of the proxy, by name: `feedback`. Absent: none. */
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

/** Pauses after failed attempts. Source: HTTP-9. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000] as const;
/** Source: HTTP-9. */
const DEFAULT_RETRY_AFTER_MS = 5_000;
const MAX_RETRY_AFTER_MS = 30_000;
/** Longer than the proxy's own attempts (20 s); a proxy without a response by then counts as unreachable. */
const CALL_TIMEOUT_MS = 25_000;

/** Waits for a time, or until `signal` aborts. */
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
  /** 0 without a response. */
  readonly status: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Delay requested by the response, for example with 429. Source: HTTP-9, HTTP-10. */
  readonly delayMs: number;
}

/**
 * Calls the proxy once: POST with a body and the connector, GET without a body. A call without a signal outlives the
 * page. Never throws.
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
      // Sends the cookie with the ticket, for pages of the proxy's own site only.
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
    // A gateway's page instead of the proxy's JSON: only the status is used.
    const answer: unknown = await response.json().catch(() => null);
    const fields = isFields(answer) ? answer : {};
    // The body repeats the header, which cross-origin pages may not be able to read.
    const seconds = Number.parseFloat(headers.get('Retry-After') ?? String(fields['retry_after_seconds']));
    const delayMs = Math.min(seconds >= 0 ? seconds * 1000 : DEFAULT_RETRY_AFTER_MS, MAX_RETRY_AFTER_MS);
    return { status, fields, delayMs };
  } catch {
    // fetch hides the reason: no network, a refused preflight, a timeout. All count as "no response".
    return { status: 0, fields: {}, delayMs: 0 };
  } finally {
    cancel();
  }
}

/**
 * Requests credentials from the proxy, and retries after temporary faults. Never throws; faults are returned as a value
 * without any foreign text. With `isKept` no started call is cancelled, even when the page is unloaded. Source: HTTP-9.
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
    if (!fault.isTemporary || usualMs === undefined) return fault;
    await wait(options.ports.clock, status === 429 ? delayMs : usualMs, signal);
    if (signal.aborted) return fault;
  }
}

/** False when the proxy reports that the platform does not respond, or does not respond itself. */
export async function isServiceUp(options: ProxyCallOptions, signal: AbortSignal): Promise<boolean> {
  const { status } = await callProxy(options, '/v1/health', null, signal);
  return status > 0 && status < 500;
}
