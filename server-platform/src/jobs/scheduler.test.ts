import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSkippingClock } from '../../test/realtime/skipping-clock.ts';
import { Scheduler, type SchedulerOptions } from './scheduler.ts';

// Fake time moves only when the test advances it, so a slow machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const EVERY_MS = 60_000;

const start = (options: Partial<SchedulerOptions> = {}) => {
  const clock = createSkippingClock();
  const failures: string[] = [];
  const durations: (readonly [string, number])[] = [];
  const scheduler = new Scheduler({
    clock,
    random: () => 0,
    onFailure: (what, error) => failures.push(`${what}: ${String(error)}`),
    onRun: (what, durationMs) => durations.push([what, durationMs]),
    ...options,
  });
  return { clock, failures, durations, scheduler };
};

it('repeats a task after each run, never twice at once, until it is stopped', async () => {
  const { clock, scheduler, durations } = start();
  const ends: (() => void)[] = [];
  let runs = 0;
  const task = scheduler.every({
    what: 'work',
    everyMs: EVERY_MS,
    run: () => {
      runs += 1;
      return new Promise<void>((resolve) => ends.push(resolve));
    },
  });
  clock.skip(EVERY_MS - 1);
  await settled();
  expect(runs).toBe(0);
  clock.skip(1);
  await settled();
  expect(runs).toBe(1);
  clock.skip(10 * EVERY_MS);
  await settled();
  expect(runs).toBe(1);
  ends.shift()?.();
  await settled();
  expect(durations).toEqual([['work', 10 * EVERY_MS]]);
  clock.skip(EVERY_MS);
  await settled();
  expect(runs).toBe(2);
  const stopped = task.stop();
  ends.shift()?.();
  await stopped;
  clock.skip(10 * EVERY_MS);
  await settled();
  expect(runs).toBe(2);
});

it('aborts the current run of a task on stop, and waits for it', async () => {
  const { clock, scheduler, failures } = start();
  const order: string[] = [];
  const task = scheduler.every({
    what: 'work',
    everyMs: EVERY_MS,
    run: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          order.push('told');
          reject(signal.reason);
        });
      }),
  });
  clock.skip(EVERY_MS);
  await settled();
  await task.stop();
  order.push('stopped');
  expect(order).toEqual(['told', 'stopped']);
  expect(failures).toEqual([]);
});

it('repeats a task after a failed run', async () => {
  const { clock, scheduler, failures, durations } = start();
  let runs = 0;
  const task = scheduler.every({
    what: 'work',
    everyMs: EVERY_MS,
    firstMs: 0,
    async run() {
      runs += 1;
      if (runs === 1) throw new Error('broken');
    },
  });
  clock.skip(0);
  await settled();
  expect(failures).toEqual(['work: Error: broken']);
  clock.skip(EVERY_MS);
  await settled();
  expect([runs, durations]).toEqual([2, [['work', 0]]]);
  await task.stop();
});

it('runs a task at once on request, after the current run', async () => {
  const { scheduler } = start();
  const ends: (() => void)[] = [];
  const task = scheduler.every({
    what: 'work',
    everyMs: EVERY_MS,
    run: () => new Promise<void>((resolve) => ends.push(resolve)),
  });
  const first = task.run();
  const second = task.run();
  await settled();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await first;
  await settled();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await second;
  await task.stop();
});

it('shortens each pause between runs by up to a tenth, so that nodes do not run in step', async () => {
  const randoms = [0.5, 0.99];
  const { clock, scheduler } = start({ random: () => randoms.shift() ?? 0 });
  let runs = 0;
  const task = scheduler.every({
    what: 'work',
    everyMs: EVERY_MS,
    async run() {
      runs += 1;
    },
  });
  for (const [afterMs, expected] of [
    [EVERY_MS * 0.95 - 1, 0],
    [1, 1],
    [EVERY_MS * 0.901 - 1, 1],
    [1, 2],
  ] as const) {
    clock.skip(afterMs);
    await settled();
    expect(runs).toBe(expected);
  }
  await task.stop();
});

it('leaves a task that needs one node to that node, except on request', async () => {
  let isChosen = false;
  const { clock, scheduler } = start({ isChosen: async () => isChosen });
  const ran: string[] = [];
  const note = (what: string) => async (): Promise<void> => void ran.push(what);
  const shared = scheduler.every({ what: 'a', everyMs: EVERY_MS, onOneNode: true, run: note('one node') });
  const own = scheduler.every({ what: 'b', everyMs: EVERY_MS, run: note('each node') });
  clock.skip(EVERY_MS);
  await settled();
  expect(ran.splice(0)).toEqual(['each node']);
  await shared.run();
  expect(ran.splice(0)).toEqual(['one node']);
  isChosen = true;
  clock.skip(EVERY_MS);
  await settled();
  expect(ran.sort()).toEqual(['each node', 'one node']);
  await shared.stop();
  await own.stop();
});
