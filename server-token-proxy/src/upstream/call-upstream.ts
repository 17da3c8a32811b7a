import type { Clock } from '../kit/clock.ts';
import type { LogFields } from '../kit/log.ts';
import { readFaultName } from '../kit/read-fault-name.ts';
import { readLimited } from '../kit/read-limited.ts';
import { decideRetry, type RepeatableFailure, requestedWaitMs } from '../kit/retry-policy.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { readKnownErrorText } from './read-upstream.ts';

/** The messaging host, and how it is called. */
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
  /** Aborts at the deadline and when the visitor goes away. */
  readonly signal: AbortSignal;
  readonly deadlineAtMs: number;
}

/** On whose behalf a call goes upstream. */
export interface Caller {
  readonly correlationId: string;
  /** Null when it is not known. */
  readonly visitorAddress: string | null;
  readonly budget: CallBudget;
}

/**
 * Headers of every call upstream. The visitor's address goes along in `X-Forwarded-For`, alone: what the visitor wrote into
 * that header is not passed on. A platform that trusts this proxy counts visitors by it instead of the proxy.
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
  /** Below the base URL. */
  readonly path: string;
  /** Headers in addition to every call's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Error texts that end the call although their status would be repeated. */
  readonly finalTexts?: ReadonlySet<string>;
  /** Whether an answer with status 200 is handed on as it arrives, however long it is and takes. */
  readonly isStreamed?: boolean;
}

/** An answer that is final: a success or a refusal. `body` is undefined when it was not JSON, and when it is streamed. */
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

// A set-up answer is a few hundred bytes; a longer one does not come from the platform.
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
      // A followed redirect would carry X-Token to a host that is not configured.
      redirect: 'manual',
      signal,
    });
    if (request.isStreamed && response.status === 200 && isJson(response)) {
      // From here on it takes as long as its reader.
      const { status, body: stream } = response;
      return { outcome: 'final', answer: { status, body: undefined, stream, knownText: null } };
    }
    const read = await readLimited(response.body, MAX_ANSWER_BYTES, signal);
    const body = read.status === 'read' ? parseJson(read.bytes) : undefined;
    answer = { status: response.status, body, stream: null, knownText: readKnownErrorText(body) };
  } catch (error) {
    // The shared deadline, or the visitor, ended the call: that is not this attempt's failure to repeat.
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
 * Sends one POST to the platform, repeating it as the client policy says and never beyond the budget's deadline.
 *
 * A request repeated after a lost answer may leave an unused session behind at the platform; it expires there.
 * Throws a `ProxyFailure` when it gives up, and the signal's reason when the signal aborts. Source: HTTP-9.
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
