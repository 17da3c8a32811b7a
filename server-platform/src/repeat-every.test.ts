import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeatEvery } from './clock.ts';
import { createSkippingClock } from './messaging/testing/skipping-clock.ts';

// Fake time moves only when the test advances it, so a slow machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('runs the work again when it is done, never twice at once, until it is stopped', async () => {
  const clock = createSkippingClock();
  const ends: (() => void)[] = [];
  let runs = 0;
  const stop = repeatEvery(clock, 60_000, () => {
    runs += 1;
    return new Promise((resolve) => ends.push(resolve));
  });
  expect(runs).toBe(0);
  clock.skip(60_000);
  expect(runs).toBe(1);
  clock.skip(600_000);
  expect(runs).toBe(1);
  ends.shift()?.();
  await settled();
  expect(runs).toBe(1);
  clock.skip(60_000);
  expect(runs).toBe(2);
  // While it runs: not again afterwards.
  stop();
  ends.shift()?.();
  await settled();
  clock.skip(600_000);
  expect(runs).toBe(2);
});

it('runs no work that waits when it is stopped', () => {
  const clock = createSkippingClock();
  let runs = 0;
  const stop = repeatEvery(clock, 60_000, async () => {
    runs += 1;
  });
  stop();
  clock.skip(60_000);
  expect(runs).toBe(0);
});
