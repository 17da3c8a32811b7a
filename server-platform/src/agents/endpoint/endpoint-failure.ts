import { isOutboundError, type OutboundPhase } from '../../kit/http/outbound/index.ts';
import { AgentError } from '../agent-error.ts';
import type { EndpointTimeouts } from './endpoint-limits.ts';

/** A failed request: the error for the caller, and whether the request may be sent again. */
export interface EndpointFailure {
  readonly kind: 'failed';
  readonly error: AgentError;
  /** True for network faults, 429 and 5xx. Only used before the answer starts. */
  readonly mayRetry: boolean;
  /** Delay requested by `Retry-After`. */
  readonly retryAfterMs: number | null;
}

/** The failures of one kind of endpoint, which their messages call `name`, such as "model endpoint". */
export class EndpointFailures {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** The failure behind an HTTP status that is not 200. `code` is the endpoint's own short name for it. */
  ofStatus(status: number, code: string | null, retryAfterMs: number | null): EndpointFailure {
    const named = code === null ? `${status}` : `${status} (${code})`;
    if (status === 429 || status === 529 || (status === 503 && retryAfterMs !== null)) {
      const message = `The ${this.#name} is at its limit: it answered ${named}. Raise its quota or slow down.`;
      return failed('overloaded', message, true, retryAfterMs);
    }
    if (status >= 500 || status === 408) {
      const message = `The ${this.#name} answered ${named}. Check its state.`;
      return failed('unavailable', message, true, retryAfterMs);
    }
    const message = `The ${this.#name} refused the request with ${named}. ${adviceFor(status)}`;
    return failed('unavailable', message, false, null);
  }

  /** The failure behind an error object inside a stream that began with 200. */
  inStream(code: string | null, status: number | null, hasStarted: boolean): EndpointFailure {
    const named = code ?? (status === null ? 'no code' : String(status));
    const isOverload =
      status === 429 || status === 529 || /overload|rate_limit|quota|exhausted/i.test(code ?? '');
    const isServerFault =
      status === null ? /server|internal|unavailable|timeout/i.test(code ?? '') : status >= 500;
    const message = `The ${this.#name} reported an error in its stream: ${named}.`;
    if (hasStarted) return failed('broken_stream', message, false, null);
    return failed(isOverload ? 'overloaded' : 'unavailable', message, isOverload || isServerFault, null);
  }

  /** The failure of an exchange that ended before the answer was complete. Rethrows errors with another cause. */
  ofExchange(cause: unknown, timeouts: EndpointTimeouts, hasStarted: boolean): EndpointFailure {
    if (!isOutboundError(cause)) throw cause;
    switch (cause.code) {
      case 'timeout':
        return this.#ofTimeout(cause.phase, timeouts);
      case 'too_large':
        return this.ofFormat('sent far more than an answer', hasStarted);
      case 'address_refused': {
        const message = `The ${this.#name} has an address that is not public. Correct it, or allow private addresses.`;
        return failed('unavailable', message, false, null, cause);
      }
      default:
        return this.#ofNetwork(cause, hasStarted);
    }
  }

  /** The failure behind a connection that could not be made, or that was cut. */
  #ofNetwork(cause: unknown, hasStarted: boolean): EndpointFailure {
    const named = nameOf(cause);
    return hasStarted
      ? failed('broken_stream', `The answer of the ${this.#name} was cut off (${named}).`, false, null, cause)
      : failed(
          'unavailable',
          `The ${this.#name} cannot be reached (${named}). Check the address and the network.`,
          true,
          null,
          cause,
        );
  }

  /** The failure behind a time limit; the request is not sent again. */
  #ofTimeout(phase: OutboundPhase | null, { firstByteMs, idleMs }: EndpointTimeouts): EndpointFailure {
    const message =
      phase === 'idle'
        ? `The ${this.#name} stopped in the middle of its answer: nothing arrived within ${idleMs} ms.`
        : phase === 'connect'
          ? `The ${this.#name} took too long to connect. Check the address and the network.`
          : `The ${this.#name} sent no answer within ${firstByteMs} ms.`;
    return failed('timeout', message, phase === 'connect', null);
  }

  /** Failure for an answer without visible text within `limitMs`, even if other data arrived. */
  ofNoText(limitMs: number): EndpointFailure {
    return failed('timeout', `The ${this.#name} sent nothing within ${limitMs} ms.`, false, null);
  }

  /** The stream ended before the answer was complete. */
  ofEarlyEnd(hasStarted: boolean): EndpointFailure {
    const message = `The stream of the ${this.#name} ended too early. Check the proxies in front of the endpoint.`;
    return failed('broken_stream', message, !hasStarted, null);
  }

  /** The response is not an answer; `problem` completes "The endpoint …". A retry would give the same response. */
  ofFormat(problem: string, hasStarted: boolean): EndpointFailure {
    const message = `The ${this.#name} ${problem}.`;
    return failed(hasStarted ? 'broken_stream' : 'unavailable', message, false, null);
  }
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'Check the key or secret and what it may use.';
  if (status === 404) return 'Check the address, and the model where there is one.';
  return status < 400 ? 'Redirects are not followed: correct the address.' : 'Check the settings.';
}

function failed(
  code: AgentError['code'],
  message: string,
  mayRetry: boolean,
  retryAfterMs: number | null,
  cause?: unknown,
): EndpointFailure {
  const retryable = mayRetry || code === 'broken_stream' || code === 'timeout';
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
