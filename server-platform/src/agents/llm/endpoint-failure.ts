import { isOutboundError, type OutboundPhase } from '../../http/index.ts';
import { AgentError } from '../agent-error.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';

type LlmTimeouts = LlmAgentConfig['timeouts'];

/** A failed request: the error for the caller, and whether the request may be sent again. */
export interface EndpointFailure {
  readonly kind: 'failed';
  readonly error: AgentError;
  /** True for network faults, 429 and 5xx. Only looked at before the first token. */
  readonly mayRetry: boolean;
  /** What `Retry-After` asked for. */
  readonly retryAfterMs: number | null;
}

/** The failure behind an HTTP status that is not 200. `code` is the endpoint's own short name for it. */
export function failureOfStatus(
  status: number,
  code: string | null,
  retryAfterMs: number | null,
): EndpointFailure {
  const named = code === null ? `${status}` : `${status} (${code})`;
  if (status === 429 || status === 529 || (status === 503 && retryAfterMs !== null)) {
    return failed(
      'overloaded',
      `The model endpoint is at its limit: it answered ${named}. Raise its quota or slow down.`,
      true,
      retryAfterMs,
    );
  }
  if (status >= 500 || status === 408) {
    return failed(
      'unavailable',
      `The model endpoint answered ${named}. Check its state.`,
      true,
      retryAfterMs,
    );
  }
  const advice =
    status === 401 || status === 403
      ? 'Check the key and what it may use.'
      : status === 404
        ? 'Check the address and the model name.'
        : status < 400
          ? 'Redirects are not followed: correct the address.'
          : 'Check the model name and the request settings.';
  return failed(
    'unavailable',
    `The model endpoint refused the request with ${named}. ${advice}`,
    false,
    null,
  );
}

/** The failure behind an error object inside a stream that began with 200. */
export function failureInStream(
  code: string | null,
  status: number | null,
  hasStarted: boolean,
): EndpointFailure {
  const named = code ?? (status === null ? 'no code' : String(status));
  const isOverload =
    status === 429 || status === 529 || /overload|rate_limit|quota|exhausted/i.test(code ?? '');
  const isServerFault =
    status === null ? /server|internal|unavailable|timeout/i.test(code ?? '') : status >= 500;
  const message = `The model endpoint reported an error in its stream: ${named}.`;
  if (hasStarted) return failed('broken_stream', message, false, null);
  return failed(isOverload ? 'overloaded' : 'unavailable', message, isOverload || isServerFault, null);
}

/** The failure behind a connection that could not be made, or that was cut. */
export function failureOfNetwork(cause: unknown, hasStarted: boolean): EndpointFailure {
  if (hasStarted)
    return failed('broken_stream', `The model's answer was cut off (${nameOf(cause)}).`, false, null, cause);
  return failed(
    'unavailable',
    `The model endpoint cannot be reached (${nameOf(cause)}). Check the address and the network.`,
    true,
    null,
    cause,
  );
}

/** The failure behind a limit of time, which is not waited for a second time. */
export function failureOfTimeout(
  phase: OutboundPhase | null,
  { firstByteMs, idleMs }: LlmTimeouts,
): EndpointFailure {
  const message =
    phase === 'idle'
      ? `The model went silent in its answer: nothing came within ${idleMs} ms.`
      : phase === 'connect'
        ? 'The model endpoint took too long to connect. Check the address and the network.'
        : `The model endpoint sent no answer within ${firstByteMs} ms.`;
  const error = new AgentError('timeout', message, { retryable: true });
  return { kind: 'failed', error, mayRetry: phase === 'connect', retryAfterMs: null };
}

/** The stream ended, but the answer did not. */
export function failureOfEarlyEnd(hasStarted: boolean): EndpointFailure {
  return failed(
    'broken_stream',
    'The model stream ended without a finish reason. Check proxies between here and the endpoint.',
    !hasStarted,
    null,
  );
}

/** What came is not a chat-completions stream. Sending the same again would give the same. */
export function failureOfFormat(message: string, hasStarted: boolean): EndpointFailure {
  return failed(hasStarted ? 'broken_stream' : 'unavailable', message, false, null);
}

function failed(
  code: AgentError['code'],
  message: string,
  mayRetry: boolean,
  retryAfterMs: number | null,
  cause?: unknown,
): EndpointFailure {
  const retryable = mayRetry || code === 'broken_stream';
  return {
    kind: 'failed',
    error: new AgentError(code, message, { retryable, cause }),
    mayRetry,
    retryAfterMs,
  };
}

/** The system's name for a network fault ("ECONNREFUSED"); its message may hold the address. */
function nameOf(cause: unknown): string {
  for (let current = cause; current instanceof Error; current = current.cause) {
    if (isOutboundError(current)) {
      if (current.systemCode !== null) return current.systemCode;
    } else if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return cause instanceof Error ? cause.name : 'unknown fault';
}

/** `Retry-After` in milliseconds: seconds or a date; null when missing or unreadable. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
