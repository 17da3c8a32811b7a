import { type Clock, sleep } from '../../clock.ts';
import type { OutboundAnswer } from './outbound-answer.ts';
import { isOutboundError } from './outbound-error.ts';

/** Retries of a request. */
export interface RetriesOptions {
  readonly clock: Clock;
  /** The pause before each further attempt. */
  readonly delaysMs: readonly number[];
}

/**
 * Repeats a request until its response is final or the attempts are used up, and returns the last response. Repeats
 * after temporary statuses and when the server could not be reached in time. Each attempt is made by `send`, which may
 * sign it anew.
 */
export async function sendWithRetries(
  send: () => Promise<OutboundAnswer>,
  { clock, delaysMs }: RetriesOptions,
): Promise<OutboundAnswer> {
  for (const delayMs of delaysMs) {
    try {
      const answer = await send();
      if (!answer.mayPass) return answer;
      answer.discard();
    } catch (error) {
      if (!isOutboundError(error) || (error.code !== 'timeout' && error.code !== 'unreachable')) throw error;
    }
    await sleep(clock, delayMs);
  }
  return await send();
}
