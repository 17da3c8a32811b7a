import { describe, expect, it } from 'vitest';
import type { OutboundAnswer } from './outbound-answer.ts';
import { OutboundError } from './outbound-error.ts';
import { sendWithRetries } from './send-with-retries.ts';

type Outcome = number | Error;

/** Sends the listed responses, with a clock that does not wait. */
async function run(
  outcomes: readonly Outcome[],
): Promise<{ readonly end: unknown; readonly waitedMs: number[] }> {
  const waitedMs: number[] = [];
  const left = [...outcomes];
  const clock = {
    now: () => 0,
    setTimer(callback: () => void, delayMs: number) {
      waitedMs.push(delayMs);
      queueMicrotask(callback);
      return () => {};
    },
  };
  const send = async (): Promise<OutboundAnswer> => {
    const outcome = left.shift() ?? 418;
    if (typeof outcome !== 'number') throw outcome;
    const mayPass = outcome === 408 || outcome === 429 || outcome >= 500;
    return { status: outcome, mayPass, discard() {} } as OutboundAnswer;
  };
  const end = await sendWithRetries(send, { clock, delaysMs: [100, 400] }).then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  return { end, waitedMs };
}

describe('a request with retries', () => {
  const unreachable = new OutboundError('unreachable', 'no');
  const slow = new OutboundError('timeout', 'slow', { phase: 'total' });
  const refused = new OutboundError('address_refused', 'private');
  const gone = new Error('gone');

  it.each<[string, readonly Outcome[], unknown, readonly number[]]>([
    ['sends a successful request once', [204], 204, []],
    ['sends a refused request once', [403], 403, []],
    ['repeats a request after temporary failures', [503, 429, 200], 200, [100, 400]],
    ['repeats a request without a response', [unreachable, slow, 200], 200, [100, 400]],
    ['returns the last response of a repeated request', [500, 502, 503], 503, [100, 400]],
    ['throws the last error of a repeated request', [500, unreachable, slow], slow, [100, 400]],
    ['does not repeat a request to a refused address', [refused], refused, []],
    ['does not repeat an aborted request', [gone], gone, []],
  ])('%s', async (_, outcomes, end, waitedMs) => {
    expect(await run(outcomes)).toEqual({ end, waitedMs });
  });
});
