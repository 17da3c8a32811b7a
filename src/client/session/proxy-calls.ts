import type { ClientPorts, ClockPort } from '../ports.ts';
import { FAILURE_CODES, type FailureCode, failureCodeOf } from './failure-codes.ts';

/** A conversation's pair and where to use it. Lives in memory only. Source: TOK-3. */
export interface SessionGrant {
  readonly sessionId: string;
  readonly accessToken: string;
  /** `wss://host/ws`, without parameters. */
  readonly websocketUrl: string;
  readonly resumeTicket: string;
}

export type ProxyOutcome =
  | { readonly status: 'granted'; readonly grant: SessionGrant }
  | { readonly status: 'failed'; readonly code: FailureCode };

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

const failed = (code: FailureCode): ProxyOutcome => ({ status: 'failed', code });

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : null;

function readGrant(body: unknown, isUrlAllowed: (url: string) => boolean): SessionGrant | null {
  const sessionId = fieldOf(body, 'session_id');
  const accessToken = fieldOf(body, 'access_token');
  const websocketUrl = fieldOf(body, 'websocket_url');
  const resumeTicket = fieldOf(body, 'resume_ticket');
  const isGrant =
    typeof sessionId === 'string' &&
    sessionId !== '' &&
    typeof accessToken === 'string' &&
    accessToken !== '' &&
    typeof resumeTicket === 'string' &&
    typeof websocketUrl === 'string' &&
    isUrlAllowed(websocketUrl);
  return isGrant ? { sessionId, accessToken, websocketUrl, resumeTicket } : null;
}

/** Waits, unless the caller loses interest first; true when the time is over. */
function wait(clock: ClockPort, delayMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.setTimer(() => {
      signal.removeEventListener('abort', onAbort);
      resolve(true);
    }, delayMs);
    const onAbort = (): void => {
      cancel();
      resolve(false);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

/** One HTTP exchange; null when there was no answer. */
async function exchange(
  { endpoint, ports }: ProxyCallOptions,
  path: string,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Answer | null> {
  const abort = new AbortController();
  const onAbort = (): void => abort.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  const cancel = ports.clock.setTimer(onAbort, CALL_TIMEOUT_MS);
  try {
    const response = await ports.fetch(`${endpoint}${path}`, {
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      ...init,
      signal: abort.signal,
    });
    const text = await response.text();
    return { status: response.status, retryAfter: response.headers.get('Retry-After'), body: parse(text) };
  } catch {
    // fetch hides why: no network, a refused preflight, a time-out. All of them are "no answer".
    return null;
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A page of some gateway instead of the proxy's JSON; the status has to do.
    return null;
  }
}

function retryDelayMs(answer: Answer | null, failures: number): number | null {
  const usual = RETRY_DELAYS_MS[failures] ?? null;
  if (usual === null || answer?.status !== 429) return usual;
  // The body says the same as the header, which a page on another origin may not be shown.
  const seconds = Number.parseFloat(answer.retryAfter ?? String(fieldOf(answer.body, 'retry_after_seconds')));
  const asked = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : DEFAULT_RETRY_AFTER_MS;
  return Math.min(asked, MAX_RETRY_AFTER_MS);
}

/**
 * Asks the proxy for a pair, again after faults that may pass when `isPatient`. Never throws; what the proxy
 * or the network said wrong is a value, and nothing of the answer gets into it. Source: HTTP-9.
 */
export async function requestGrant(
  options: ProxyCallOptions,
  path: '/v1/session' | '/v1/resume',
  body: Readonly<Record<string, unknown>>,
  isPatient: boolean,
  signal: AbortSignal,
): Promise<ProxyOutcome> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  };
  for (let failures = 0; ; failures++) {
    const answer = await exchange(options, path, init, signal);
    if (answer && answer.status >= 200 && answer.status < 300) {
      const grant = readGrant(answer.body, options.isUrlAllowed);
      return grant ? { status: 'granted', grant } : failed('INVALID_RESPONSE');
    }
    const code = answer ? failureCodeOf(fieldOf(answer.body, 'code'), answer.status) : 'NETWORK_UNREACHABLE';
    const delayMs = retryDelayMs(answer, failures);
    const mayTryAgain = isPatient && FAILURE_CODES[code].semantics === 'come-back' && delayMs !== null;
    if (!mayTryAgain || !(await wait(options.ports.clock, delayMs, signal))) return failed(code);
  }
}

/** False when the proxy says that the platform does not answer, or does not answer itself. */
export async function isServiceUp(options: ProxyCallOptions, signal: AbortSignal): Promise<boolean> {
  const answer = await exchange(options, '/v1/health', { method: 'GET' }, signal);
  return answer !== null && answer.status < 500;
}
