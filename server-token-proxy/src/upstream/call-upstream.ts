import type { Clock } from '../kit/clock.ts';
import type { LogFields } from '../kit/log.ts';
import { readFaultName } from '../kit/read-fault-name.ts';
import { readLimited } from '../kit/read-limited.ts';
import { decideRetry, type RepeatableFailure, requestedWaitMs } from '../kit/retry-policy.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { readKnownErrorText } from './read-upstream.ts';

/** The messaging host and the settings of calls to it. */
export interface Upstream {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly correlationHeader: string;
  readonly userAgent: string;
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  readonly attemptTimeoutMs: number;
}

/** The one deadline that all calls of one request share. */
export interface CallBudget {
  /** Aborts at the deadline and when the visitor disconnects. */
  readonly signal: AbortSignal;
  readonly deadlineAtMs: number;
}

/** The visitor for whom a call is made. */
export interface Caller {
  readonly correlationId: string;
  /** Null when unknown. */
  readonly visitorAddress: string | null;
  readonly budget: CallBudget;
}

/**
 * Headers of every upstream call. `X-Forwarded-For` contains only the visitor's address, never what the visitor wrote
 * into that header. A platform that trusts this proxy applies its limits to that address instead of the proxy's.
 */
const headersOf = (
  { correlationHeader, userAgent }: Upstream,
  { correlationId, visitorAddress }: Caller,
): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/json',
  Accept: 'application/json',
  'User-Agent': userAgent,
  [correlationHeader]: correlationId,
  ...(visitorAddress !== null && { 'X-Forwarded-For': visitorAddress }),
});

/** One POST to the platform. */
export interface UpstreamRequest {
  /** Path below the base URL. */
  readonly path: string;
  /** Headers in addition to every call's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Error texts that end the call although their status would otherwise be retried. */
  readonly finalTexts?: ReadonlySet<string>;
  /** Whether a response with status 200 is passed on as it arrives, without limits on length and time. */
  readonly isStreamed?: boolean;
}

/** A final response: a success or a refusal. `body` is undefined if it was not JSON or is streamed. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The streamed body, requested with `isStreamed`; cancelling it ends the call. */
  readonly stream: ReadableStream<Uint8Array> | null;
  readonly knownText: string | null;
}

type Attempt =
  | { readonly outcome: 'final'; readonly answer: UpstreamAnswer }
  | { readonly outcome: 'repeatable'; readonly failure: RepeatableFailure; readonly logFields: LogFields };

// A setup response is a few hundred bytes; a longer one does not come from the platform.
const MAX_ANSWER_BYTES = 65_536;

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

const isJson = ({ headers }: Response): boolean =>
  /^application\/json *(?:;|$)/i.test(headers.get('content-type') ?? '');

async function attemptOnce(upstream: Upstream, request: UpstreamRequest, caller: Caller): Promise<Attempt> {
  const { budget } = caller;
  const limit = AbortSignal.any([budget.signal, AbortSignal.timeout(upstream.attemptTimeoutMs)]);
  const call = new AbortController();
  const { signal } = call;
  const stop = (): void => call.abort(limit.reason);
  if (limit.aborted) stop();
  else limit.addEventListener('abort', stop);
  let response: Response;
  let answer: UpstreamAnswer;
  try {
    response = await upstream.fetch(`${upstream.baseUrl}${request.path}`, {
      method: 'POST',
      headers: { ...headersOf(upstream, caller), ...request.headers },
      body: JSON.stringify(request.body),
      // A followed redirect would send X-Token to a host that is not configured.
      redirect: 'manual',
      signal,
    });
    if (request.isStreamed && response.status === 200 && isJson(response)) {
      // From here on, the reader determines the duration.
      const { status, body: stream } = response;
      return { outcome: 'final', answer: { status, body: undefined, stream, knownText: null } };
    }
    const read = await readLimited(response.body, MAX_ANSWER_BYTES, signal);
    const body = read.status === 'read' ? parseJson(read.bytes) : undefined;
    answer = { status: response.status, body, stream: null, knownText: readKnownErrorText(body) };
  } catch (error) {
    // The shared deadline or the visitor ended the call, so this attempt must not be repeated.
    budget.signal.throwIfAborted();
    return {
      outcome: 'repeatable',
      failure: { kind: 'unavailable' },
      logFields: { upstreamFault: readFaultName(error) },
    };
  } finally {
    limit.removeEventListener('abort', stop);
  }
  const isFinalText = answer.knownText !== null && request.finalTexts?.has(answer.knownText) === true;
  if (answer.status === 429) {
    const retryAfter = response.headers.get('retry-after');
    return {
      outcome: 'repeatable',
      failure: { kind: 'rate-limited', retryAfter },
      logFields: { upstreamStatus: 429 },
    };
  }
  if (answer.status >= 500 && !isFinalText) {
    return {
      outcome: 'repeatable',
      failure: { kind: 'unavailable' },
      logFields: { upstreamStatus: answer.status, upstreamText: answer.knownText },
    };
  }
  return { outcome: 'final', answer };
}

function giveUp(failure: RepeatableFailure, retryAfterMs: number, logFields: LogFields): ProxyFailure {
  return failure.kind === 'rate-limited'
    ? new ProxyFailure(
        'UPSTREAM_RATE_LIMITED',
        'The chat service is receiving too many requests. Try again after the time given in Retry-After.',
        { retryAfterMs, logFields },
      )
    : new ProxyFailure(
        'UPSTREAM_UNAVAILABLE',
        'The chat service cannot be reached right now. Try again shortly.',
        {
          retryAfterMs,
          logFields,
        },
      );
}

/**
 * Sends one POST to the platform, repeating it according to the client policy, but never beyond the budget's deadline.
 *
 * A request repeated after a lost response may leave an unused session on the platform, which expires there. Throws a
 * `ProxyFailure` when it gives up, and the signal's reason when the signal aborts. Source: HTTP-9.
 */
export async function callUpstream(
  upstream: Upstream,
  request: UpstreamRequest,
  caller: Caller,
): Promise<UpstreamAnswer> {
  const { budget } = caller;
  for (let retriesDone = 0; ; retriesDone += 1) {
    const attempt = await attemptOnce(upstream, request, caller);
    if (attempt.outcome === 'final') return attempt.answer;
    const remainingMs = budget.deadlineAtMs - upstream.clock.now();
    const waitMs = decideRetry(attempt.failure, retriesDone, remainingMs);
    if (waitMs === null) {
      const logFields = { ...attempt.logFields, upstreamAttempts: retriesDone + 1 };
      throw giveUp(attempt.failure, requestedWaitMs(attempt.failure, retriesDone), logFields);
    }
    await upstream.clock.wait(waitMs, budget.signal);
  }
}
