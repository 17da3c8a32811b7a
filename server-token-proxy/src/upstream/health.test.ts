import { expect, it } from 'vitest';
import { createJumpingClock } from '../../test/proxy-fixture.ts';
import { createHealthProbe } from './health.ts';

/**
 * Checks the platform, which gives these answers one after the other; returns the result and the number of requests.
 */
async function probe(...answers: readonly (number | Error)[]): Promise<readonly [boolean, number]> {
  let asked = 0;
  const isUp = createHealthProbe({
    fetch: async () => {
      const answer = answers[asked++];
      if (typeof answer === 'number') return new Response(null, { status: answer });
      throw answer;
    },
    baseUrl: 'https://platform.example',
    clock: createJumpingClock(),
    timeoutMs: 3_000,
  });
  return [await isUp(), asked];
}

const CLOSED = new TypeError('fetch failed');

it('repeats a health check after a kept-alive connection was closed', async () => {
  expect(await probe(CLOSED, 200)).toEqual([true, 2]);
  expect(await probe(CLOSED, CLOSED, 200)).toEqual([false, 2]);
});

it('counts the platform as up with any response below 500', async () => {
  expect(await probe(404, 200)).toEqual([true, 1]);
  expect(await probe(503, 200)).toEqual([false, 1]);
});
