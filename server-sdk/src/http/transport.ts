import { adviseOnRefusal } from '../errors/advise-on-refusal.ts';
import { isNatterError, NatterError } from '../errors/natter-error.ts';
import { readCorrelationId, readErrorResponse } from '../errors/read-error-response.ts';
import { buildUrl, type QueryPairs } from './build-url.ts';
import {
  type CallOptions,
  checkIdempotencyKey,
  checkRetries,
  checkTimeout,
  chooseCorrelationId,
  type IdempotentCall,
} from './call-options.ts';
import { type Clock, wait } from './clock.ts';
import { connectionFailure } from './connection-failure.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import type { Family, Operation, Service } from './operation.ts';
import { describeFailure, redact } from './redact.ts';
import { type Failure, type Repeatability, retryDelayMs } from './retry-policy.ts';

/** Settings of the client. */
export interface TransportSettings {
  readonly hosts: Readonly<Record<Service, string | null>>;
  /** The API key for a route group of a service; null when there is none. */
  readonly keyOf: (family: Family, service: Service) => string | null;
  readonly connectorToken: string | null;
  readonly correlationHeaderOf: (family: Family) => string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxRetryDelayMs: number;
  readonly clock: Clock;
  /** Must never appear in an error. */
  readonly secrets: readonly string[];
}

/** One call, ready to be sent. */
export interface Call {
  readonly operation: Operation;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query?: QueryPairs;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly payload?: string | Uint8Array<ArrayBuffer>;
  readonly options: CallOptions & IdempotentCall;
}

/** A successful response with an unread body. */
export interface Answer {
  readonly response: Response;
  readonly correlationId: string;
  readonly deadline: Deadline;
  /** Converts a failure while reading the body to an error. */
  readonly toError: (thrown: unknown) => NatterError;
}

/** Sends calls; see `createTransport`. */
export interface Transport {
  readonly send: <Result>(call: Call, consume: (answer: Answer) => Promise<Result>) => Promise<Result>;
  /** Waits before repeating the call; false when it should not be repeated. Rejects when the signal is aborted. */
  readonly waitToRepeat: (call: Call, error: NatterError, attempt: number) => Promise<boolean>;
}

// Error bodies are a few hundred bytes; a gateway's page may have any size.
const MAX_ERROR_CHARACTERS = 65_536;

/**
 * Sends calls over fetch: one correlation id per call, a time limit per attempt, repetitions according to
 * `retryDelayMs`, no redirects (fetch would send the key's header to the other host). `consume` reads the body within
 * the same attempt; on success it clears the deadline itself, so that it may continue reading after it has resolved.
 */
export function createTransport(settings: TransportSettings): Transport {
  const { clock, secrets } = settings;

  const waitToRepeat = async (call: Call, error: NatterError, attempt: number): Promise<boolean> => {
    const repeatability = repeatabilityOf(call);
    const limits = {
      retries: call.options.retries ?? settings.retries,
      maxRetryDelayMs: settings.maxRetryDelayMs,
    };
    const delayMs = retryDelayMs(toFailure(call, error), repeatability, attempt, limits, clock.random());
    if (delayMs === null) return false;
    const { signal } = call.options;
    await wait(clock, delayMs, signal).catch(() =>
      Promise.reject(aborted(error.correlationId, secrets, signal)),
    );
    return true;
  };

  const attemptOnce = async (call: Call, prepared: PreparedCall, mayBeGone: boolean): Promise<Answer> => {
    const { signal } = call.options;
    const deadline = startDeadline(clock, prepared.timeoutMs, signal);
    const toError = (thrown: unknown): NatterError => {
      deadline.clear();
      if (isNatterError(thrown)) return thrown;
      if (deadline.hasExpired()) return timedOut(prepared, repeatabilityOf(call));
      if (signal?.aborted) return aborted(prepared.correlationId, secrets, signal);
      return connectionFailure(thrown, prepared, secrets);
    };
    try {
      const response = await settings.fetch(prepared.url, { ...prepared.init, signal: deadline.signal });
      const correlationId = readCorrelationId(response.headers, null) ?? prepared.correlationId;
      const isDone =
        (response.status >= 200 && response.status < 300) || (mayBeGone && response.status === 404);
      if (isDone) return { response, correlationId, deadline, toError };
      throw await readRefusal(response, call.operation, prepared, settings);
    } catch (thrown) {
      throw toError(thrown);
    }
  };

  return {
    waitToRepeat,
    send: async (call, consume) => {
      const prepared = prepare(call, settings);
      // A repeated DELETE that finds nothing has probably succeeded before, and its response was lost.
      let mayBeGone = false;
      for (let attempt = 1; ; attempt += 1) {
        try {
          const answer = await attemptOnce(call, prepared, mayBeGone);
          try {
            return await consume(answer);
          } catch (thrown) {
            throw answer.toError(thrown);
          }
        } catch (error) {
          if (!isNatterError(error) || !(await waitToRepeat(call, error, attempt))) throw error;
          if (call.operation.method === 'DELETE' && error.status !== 429) mayBeGone = true;
        }
      }
    },
  };
}

/** An `Idempotency-Key` makes a call repeatable. */
function repeatabilityOf({ operation, options }: Call): Repeatability {
  return options.idempotencyKey === undefined ? operation.repeatability : 'always';
}

/** Number reservation has no codes: with an `Idempotency-Key` its 409 means that the first call is still running. */
function toFailure({ options }: Call, { status, code, retryAfterMs }: NatterError): Failure {
  const isInUse = options.idempotencyKey !== undefined && status === 409;
  return { status, retryAfterMs, code: isInUse ? 'IDEMPOTENCY_KEY_IN_USE' : code };
}

interface PreparedCall {
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly correlationId: string;
}

function prepare(call: Call, settings: TransportSettings): PreparedCall {
  const { operation, options } = call;
  if (options.retries !== undefined) checkRetries(options.retries, 'INVALID_ARGUMENT');
  const correlationId = chooseCorrelationId(options.correlationId);
  const key = settings.keyOf(operation.family, operation.service);
  if (key === null)
    throw missing(operation.service === 'runtime' ? 'apiKey' : 'monitorApiKey', operation.family);
  const host = settings.hosts[operation.service];
  if (host === null) {
    const option = operation.service === 'runtime' ? 'baseUrl' : 'monitorBaseUrl';
    throw new NatterError({
      code: 'INVALID_CONFIGURATION',
      text: `${operation.family} needs ${option}`,
      advice: `Pass ${option} to createNatter: the two services have different hosts.`,
    });
  }
  const headers: Record<string, string> = {
    ...call.headers,
    Accept: 'application/json',
    [operation.keyHeader]: key,
    [settings.correlationHeaderOf(operation.family)]: correlationId,
  };
  if (operation.needsConnectorToken) {
    if (settings.connectorToken === null) throw missing('connectorToken', operation.family);
    headers['X-TOKEN'] = settings.connectorToken;
  }
  if (options.idempotencyKey !== undefined)
    headers['Idempotency-Key'] = checkIdempotencyKey(options.idempotencyKey);
  if (call.contentType !== undefined) headers['Content-Type'] = call.contentType;
  return {
    url: buildUrl(host, operation.path, call.pathValues, call.query),
    init: {
      method: operation.method,
      headers,
      redirect: 'manual',
      ...(call.payload === undefined ? {} : { body: call.payload }),
    },
    timeoutMs: checkTimeout(options.timeoutMs ?? settings.timeoutMs, 'INVALID_ARGUMENT'),
    correlationId,
  };
}

async function readRefusal(
  response: Response,
  { id: operationId }: Operation,
  { correlationId }: PreparedCall,
  { clock, secrets }: TransportSettings,
): Promise<NatterError> {
  const { status, headers } = response;
  // Web runtimes hide a redirect behind status 0.
  if (status < 200 || (status >= 300 && status < 400)) {
    return new NatterError({
      code: 'REDIRECTED',
      text: 'The platform answered with a redirect',
      status,
      correlationId,
    });
  }
  const body = (await response.text()).slice(0, MAX_ERROR_CHARACTERS);
  const init = readErrorResponse({
    status,
    headers,
    body,
    sentCorrelationId: correlationId,
    nowMs: clock.now(),
  });
  return new NatterError({
    ...init,
    ...adviseOnRefusal({ operationId, status, text: init.text }),
    text: redact(init.text, secrets),
    fieldErrors: (init.fieldErrors ?? []).map(({ field, message }) => ({
      field: redact(field, secrets),
      message: redact(message, secrets),
    })),
  });
}

function timedOut({ timeoutMs, correlationId }: PreparedCall, repeatability: Repeatability): NatterError {
  const text = `No answer within ${timeoutMs} ms`;
  if (repeatability === 'always') return new NatterError({ code: 'TIMEOUT', text, correlationId });
  const advice = 'It may have been carried out all the same: look before sending it again.';
  return new NatterError({ code: 'TIMEOUT', text, correlationId, advice });
}

function aborted(
  correlationId: string | null,
  secrets: readonly string[],
  signal?: AbortSignal,
): NatterError {
  const cause = new Error(describeFailure(signal?.reason, secrets));
  return new NatterError({ code: 'ABORTED', text: 'The call was aborted', correlationId, cause });
}

function missing(option: string, family: string): NatterError {
  return new NatterError({ code: 'MISSING_CREDENTIAL', text: `${family} needs ${option}` });
}
