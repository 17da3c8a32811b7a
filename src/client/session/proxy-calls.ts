import { isFields } from '../../protocol/index.ts';
import { hasShape, type Shape } from '../has-shape.ts';
import type { ClientPorts, ClockPort } from '../ports.ts';
import { type Fault, readFault } from './read-fault.ts';

/** A conversation's pair and where to use it, as the proxy writes it. Lives in memory only. Source: TOK-3. */
export interface SessionGrant {
  readonly session_id: string;
  readonly access_token: string;
  /** `wss://host/ws`, without parameters. */
  readonly websocket_url: string;
  readonly resume_ticket: string;
}

const GRANT: Shape<SessionGrant> = {
  session_id: 'string',
  access_token: 'string',
  websocket_url: 'string',
  resume_ticket: 'string',
};

export interface ProxyCallOptions {
  readonly endpoint: string;
  readonly ports: Pick<ClientPorts, 'clock' | 'fetch'>;
  readonly isUrlAllowed: (url: string) => boolean;
}

/** Pauses after failed tries. Source: HTTP-9. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000] as const;
/** Source: HTTP-9. */
const DEFAULT_RETRY_AFTER_MS = 5_000;
const MAX_RETRY_AFTER_MS = 30_000;
/** Longer than the proxy itself tries (20 s); one that says nothing by then is as good as unreachable. */
const CALL_TIMEOUT_MS = 25_000;

/** Waits until the time is over or the caller has lost interest. */
const wait = (clock: ClockPort, delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.setTimer(resolve, delayMs);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });

interface Answer {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly retryAfter: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

function parse(text: string): Answer['fields'] {
  try {
    const body: unknown = JSON.parse(text);
    return isFields(body) ? body : {};
  } catch {
    // A page of some gateway instead of the proxy's JSON; the status has to do.
    return {};
  }
}

/** One HTTP exchange. */
async function exchange(
  { endpoint, ports }: ProxyCallOptions,
  path: string,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Answer> {
  const timeout = new AbortController();
  const cancel = ports.clock.setTimer(() => timeout.abort(), CALL_TIMEOUT_MS);
  try {
    const response = await ports.fetch(endpoint + path, {
      credentials: 'omit',
      redirect: 'error',
      ...init,
      signal: AbortSignal.any([signal, timeout.signal]),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('Retry-After'),
      fields: parse(await response.text()),
    };
  } catch {
    // fetch hides why: no network, a refused preflight, a time-out. All of them are "no answer".
    return { status: 0, retryAfter: null, fields: {} };
  } finally {
    cancel();
  }
}

function retryDelayMs({ status, retryAfter, fields }: Answer, usualMs: number): number {
  if (status !== 429) return usualMs;
  // The body says the same as the header, which a page on another origin may not be shown.
  const seconds = Number.parseFloat(retryAfter ?? String(fields['retry_after_seconds']));
  return Math.min(seconds >= 0 ? seconds * 1000 : DEFAULT_RETRY_AFTER_MS, MAX_RETRY_AFTER_MS);
}

/**
 * Asks the proxy for a pair, again after faults that may pass. Never throws; what the proxy or the network
 * said wrong is a value, and nothing of the answer gets into it. Source: HTTP-9.
 */
export async function requestGrant(
  options: ProxyCallOptions,
  path: '/v1/session' | '/v1/resume',
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<SessionGrant | Fault> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  for (let failures = 0; ; failures++) {
    const answer = await exchange(options, path, init, signal);
    const { status, fields } = answer;
    if (status >= 200 && status < 300) {
      const isGrant = hasShape(fields, GRANT) && fields.session_id && fields.access_token;
      return isGrant && options.isUrlAllowed(fields.websocket_url) ? fields : readFault(status);
    }
    const fault = readFault(status, fields['code']);
    const usualMs = RETRY_DELAYS_MS[failures];
    if (!fault.mayComeBack || usualMs === undefined) return fault;
    await wait(options.ports.clock, retryDelayMs(answer, usualMs), signal);
    if (signal.aborted) return fault;
  }
}

/** False when the proxy says that the platform does not answer, or does not answer itself. */
export async function isServiceUp(options: ProxyCallOptions, signal: AbortSignal): Promise<boolean> {
  const { status } = await exchange(options, '/v1/health', {}, signal);
  return status > 0 && status < 500;
}
