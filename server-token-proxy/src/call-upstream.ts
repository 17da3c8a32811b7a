import type { Clock } from './clock.ts';
import type { LogFields } from './log.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { readFaultName } from './read-fault-name.ts';
import { readLimited } from './read-limited.ts';
import { readKnownErrorText } from './read-upstream.ts';
import { decideRetry, type RepeatableFailure, requestedWaitMs } from './retry-policy.ts';

/** The far end as the set-up calls need it. */
export interface Upstream {
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

/** One POST to the platform. */
export interface UpstreamRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Error texts that end the call although their status would be repeated. */
  readonly finalTexts: ReadonlySet<string>;
  /** Whether an answer with status 200 is handed on as it arrives, however long it is and takes. */
  readonly isStreamed?: boolean;
}

/** An answer that is final: a success or a refusal. `body` is undefined when it was not JSON, and when it is streamed. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly body: unknown;
  /** What was asked for with `isStreamed`; cancelling it ends the call. */
  readonly stream: ReadableStream<Uint8Array> | null;
  readonly knownText: string | null;
}

type Attempt =
  | { readonly outcome: 'final'; readonly answer: UpstreamAnswer }
  | { readonly outcome: 'repeatable'; readonly failure: RepeatableFailure; readonly logFields: LogFields };

// A set-up answer is a few hundred bytes; what is longer comes from something that is not the platform.
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

async function attemptOnce(
  upstream: Upstream,
  request: UpstreamRequest,
  budget: CallBudget,
): Promise<Attempt> {
  const limit = AbortSignal.any([budget.signal, AbortSignal.timeout(upstream.attemptTimeoutMs)]);
  const call = new AbortController();
  const { signal } = call;
  const stop = (): void => call.abort(limit.reason);
  if (limit.aborted) stop();
  else limit.addEventListener('abort', stop);
  let response: Response;
  let answer: UpstreamAnswer;
  try {
    response = await upstream.fetch(request.url, {
      method: 'POST',
      headers: request.headers,
      body: JSON.stringify(request.body),
      // A followed redirect would carry X-Token to a host nobody configured.
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
  const isFinalText = answer.knownText !== null && request.finalTexts.has(answer.knownText);
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
 * A request repeated after a lost answer may leave an unused session behind at the platform; it expires there by itself.
 * Throws a `ProxyFailure` when it gives up, and the signal's reason when the signal aborts. Source: HTTP-9.
 */
export async function callUpstream(
  upstream: Upstream,
  request: UpstreamRequest,
  budget: CallBudget,
): Promise<UpstreamAnswer> {
  for (let retriesDone = 0; ; retriesDone += 1) {
    const attempt = await attemptOnce(upstream, request, budget);
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
