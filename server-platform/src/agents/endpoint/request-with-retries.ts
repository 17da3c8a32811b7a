import type { OutboundClient } from '../../kit/http/outbound/index.ts';
import { type AgentClock, sleep } from '../agent-clock.ts';
import type { EndpointFailure } from './endpoint-failure.ts';
import type { EndpointRetries } from './endpoint-limits.ts';

/** Dependencies of an agent that calls another server. */
export interface EndpointPorts {
  readonly client: OutboundClient;
  readonly clock: AgentClock;
  /** A number from 0 to below 1, for the variation of pauses. */
  readonly random: () => number;
}

/**
 * Asks an endpoint and yields its answer as it comes. A request that fails before its first piece is sent again, as
 * `retries` allows; afterwards never, because the visitor has read the beginning. `request` makes one attempt and ends
 * it with an `EndpointFailure` where it failed.
 *
 * Throws an `AgentError`, or the reason of an aborted `signal`.
 */
export async function* requestWithRetries<T extends { readonly kind?: string }>(
  request: () => AsyncIterable<T | EndpointFailure>,
  retries: EndpointRetries,
  { clock, random }: EndpointPorts,
  signal: AbortSignal,
): AsyncIterable<T> {
  for (let attempt = 1; ; attempt += 1) {
    let failure: EndpointFailure | null = null;
    let hasStarted = false;
    for await (const piece of request()) {
      if (isFailure(piece)) {
        failure = piece;
      } else {
        hasStarted = true;
        yield piece;
      }
    }
    if (failure === null) return;
    const delayMs = hasStarted ? null : retryDelay(failure, attempt, retries, random);
    if (delayMs === null) throw failure.error;
    await sleep(clock, delayMs, signal);
  }
}

const isFailure = (piece: { readonly kind?: string }): piece is EndpointFailure => piece.kind === 'failed';

/** Returns the delay before the next attempt, or null to give up. */
function retryDelay(
  failure: EndpointFailure,
  attempt: number,
  { maxAttempts, baseDelayMs, maxDelayMs }: EndpointRetries,
  random: () => number,
): number | null {
  if (!failure.mayRetry || attempt >= maxAttempts) return null;
  if (failure.retryAfterMs !== null) {
    // An earlier retry would worsen the overload, and a visitor does not wait that long.
    return failure.retryAfterMs <= maxDelayMs ? failure.retryAfterMs : null;
  }
  const delayMs = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  return delayMs * (0.75 + random() / 2);
}
