import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSkippingClock } from '../../test/realtime/skipping-clock.ts';
import { sleep, systemClock } from './clock.ts';

// Fake time moves only when the test advances it, so a slow machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whether a promise has resolved, asked at any time. */
function watch(promise: Promise<void>): () => Promise<boolean> {
  let isOver = false;
  void promise.then(() => {
    isOver = true;
  });
  return async () => {
    await settled();
    return isOver;
  };
}

it('sleeps for the requested time', async () => {
  const clock = createSkippingClock();
  const { signal } = new AbortController();
  const isOver = watch(sleep(clock, 60_000, signal));
  clock.skip(50_000);
  expect(await isOver()).toBe(false);
  clock.skip(10_000);
  expect(await isOver()).toBe(true);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('ends a sleep early when it is aborted, and does not start one that was aborted before', async () => {
  const clock = createSkippingClock();
  let timers = 0;
  const counting = {
    ...clock,
    setTimer(callback: () => void, delayMs: number) {
      const cancel = clock.setTimer(callback, delayMs);
      timers += 1;
      return () => {
        timers -= 1;
        cancel();
      };
    },
  };
  const stop = new AbortController();
  const isOver = watch(sleep(counting, 60_000, stop.signal));
  expect(await isOver()).toBe(false);
  expect(timers).toBe(1);
  stop.abort();
  expect(await isOver()).toBe(true);
  expect(timers).toBe(0);
  expect(await watch(sleep(counting, 60_000, stop.signal))()).toBe(true);
  expect(timers).toBe(0);
});

it('fires a timer beyond the maximum delay late, not at once', () => {
  const fired: string[] = [];
  systemClock.setTimer(() => fired.push('late'), 2 ** 31);
  const cancel = systemClock.setTimer(() => fired.push('cancelled'), 1_000);
  systemClock.setTimer(() => fired.push('overdue'), -1_000);
  vi.advanceTimersByTime(1);
  expect(fired).toEqual(['overdue']);
  cancel();
  vi.advanceTimersByTime(1_000_000);
  expect(fired).toEqual(['overdue']);
  vi.advanceTimersByTime(2 ** 31);
  expect(fired).toEqual(['overdue', 'late']);
});

it("returns the machine's time", () => {
  vi.setSystemTime(1_700_000_000_000);
  expect(systemClock.now()).toBe(1_700_000_000_000);
});
