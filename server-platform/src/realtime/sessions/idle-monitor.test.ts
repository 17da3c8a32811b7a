import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { createInProcessBus, NO_PEERS } from '../bus/index.ts';
import type { MessagingConnector } from '../conversation/connector.ts';
import type { StoredSession } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { SessionLossError } from '../session-loss.ts';
import { IdleMonitor } from './idle-monitor.ts';

const SESSION = '01890a5d-ac96-774b-bcce-b302099a8057';
const INACTIVITY_MS = 600_000;
const WARNING_AT_MS = INACTIVITY_MS - 60_000;

// Fake time moves only when the test advances it, so a slow machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Monitors one session: on a single node, or on one of several nodes, with `owner` as the session's owner. */
function watchActivity({
  isAlone = true,
  owner = null as string | null,
  inactivityMs = INACTIVITY_MS,
  hasIdleWarning = true,
} = {}) {
  const clock = createSkippingClock();
  const bus = createInProcessBus();
  const touched: [string, number][] = [];
  const rows: { last_activity: number }[] = [];
  const failures: string[] = [];
  const warnings: unknown[] = [];
  const seen = { flushes: 0, reads: 0, expiries: 0 };
  const outcome: { flush: Error | null; expiry: Error | null; read: Error | null } = {
    flush: null,
    expiry: null,
    read: null,
  };
  bus.subscribe(SESSION, (message) => {
    if (message.kind === 'events') warnings.push(...message.events.map(({ payload }) => payload));
  });
  const context = {
    clock,
    bus,
    peers: { ...NO_PEERS, isAlone },
    limits: { inactivityMs },
    observer: { failed: (what: string, error: unknown) => failures.push(`${what}: ${String(error)}`) },
    activity: {
      touch: (sessionId: string, atMs: number) => touched.push([sessionId, atMs]),
      async flush() {
        seen.flushes += 1;
        if (outcome.flush) throw outcome.flush;
      },
    },
    database: {
      async query() {
        seen.reads += 1;
        if (outcome.read) throw outcome.read;
        return rows;
      },
    },
  } as unknown as MessagingContext;
  const row = { id: SESSION, lastActivityMs: clock.now() } as StoredSession;
  const activity = new IdleMonitor({
    context,
    state: { row, connector: { hasIdleWarning } as MessagingConnector },
    lease: { owner },
    async expireIfIdle() {
      seen.expiries += 1;
      if (outcome.expiry) throw outcome.expiry;
    },
  });
  const skip = async (byMs: number): Promise<void> => {
    clock.skip(byMs);
    await settled();
  };
  return { activity, clock, skip, touched, rows, warnings, failures, seen, outcome };
}

it('takes the latest activity of database and node, and never moves it back', async () => {
  const { activity, clock, skip } = watchActivity();
  expect(activity.lastMs).toBe(clock.now());
  await skip(1_000);
  expect(activity.idleMs).toBe(1_000);
  activity.note();
  expect(activity.idleMs).toBe(0);
  activity.learn(clock.now() - 500);
  expect(activity.idleMs).toBe(0);
});

it.each([
  { inactivityMs: INACTIVITY_MS, silenceMs: 120_000, what: 'two minutes' },
  { inactivityMs: 100_000, silenceMs: 50_000, what: 'half of the limit' },
])(
  'stores what it hears late, but at once when the session was silent for more than $what',
  async ({ inactivityMs, silenceMs }) => {
    const { activity, clock, skip, touched, seen, failures, outcome } = watchActivity({ inactivityMs });
    await skip(silenceMs);
    activity.note();
    expect(touched).toEqual([[SESSION, clock.now()]]);
    expect(seen.flushes).toBe(0);
    await skip(silenceMs + 1);
    outcome.flush = new Error('the database is away');
    activity.note();
    await settled();
    expect(seen.flushes).toBe(1);
    expect(failures).toEqual(['store activity: Error: the database is away']);
  },
);

it.each([
  { isAlone: true, owner: 'other', expected: 1 },
  { isAlone: false, owner: null, expected: 1 },
  { isAlone: false, owner: 'other', expected: 0 },
])(
  'warns on the node that owns the session (alone: $isAlone, owner: $owner)',
  async ({ expected, ...where }) => {
    const { activity, skip, warnings } = watchActivity(where);
    activity.start();
    await skip(WARNING_AT_MS);
    expect(warnings).toEqual(Array.from({ length: expected }, () => ({ seconds_remaining: 60 })));
  },
);

it('asks the database for activity on other nodes, unless there are none', async () => {
  const alone = watchActivity();
  alone.activity.start();
  await alone.skip(INACTIVITY_MS);
  expect(alone.seen).toMatchObject({ reads: 0, expiries: 1 });

  const { activity, clock, skip, rows, seen } = watchActivity({ isAlone: false });
  activity.start();
  rows.push({ last_activity: clock.now() + 300_000 });
  await skip(INACTIVITY_MS);
  expect(seen).toMatchObject({ reads: 1, expiries: 0 });
  expect(activity.idleMs).toBe(300_000);
  rows.length = 0;
  await activity.refresh();
  expect(activity.idleMs).toBe(300_000);
});

it('reports a failed expiry, unless another node owns the session', async () => {
  const { activity, skip, seen, failures, outcome } = watchActivity();
  activity.start();
  outcome.expiry = new SessionLossError('stale_owner', 'other');
  await skip(INACTIVITY_MS);
  expect([seen.expiries, failures]).toEqual([1, []]);
  outcome.expiry = new Error('the database is away');
  await skip(1_000);
  expect([seen.expiries, failures]).toEqual([2, ['expire a session: Error: the database is away']]);
});

it('does nothing after it was stopped', async () => {
  const { activity, skip, seen, warnings } = watchActivity();
  activity.start();
  activity.stop();
  await skip(INACTIVITY_MS);
  expect([seen.expiries, warnings]).toEqual([0, []]);
});

it('warns a minute before the expiry, once per silence', async () => {
  const { activity, clock, skip, warnings, seen } = watchActivity();
  activity.start();
  await skip(530_000);
  expect(warnings).toEqual([]);
  await skip(10_500);
  expect(warnings).toEqual([{ seconds_remaining: 60 }]);
  await skip(10_000);
  activity.learn(clock.now());
  await skip(530_000);
  expect(warnings).toHaveLength(1);
  await skip(10_500);
  expect([warnings.length, seen.expiries]).toEqual([2, 0]);
  await skip(60_000);
  expect([warnings.length, seen.expiries]).toEqual([2, 1]);
});

it.each([
  { inactivityMs: 600_000, hasIdleWarning: false },
  { inactivityMs: 60_000, hasIdleWarning: true },
])('does not warn where that is off, or the whole time is a minute: %o', async (options) => {
  const { activity, skip, warnings, seen } = watchActivity(options);
  activity.start();
  await skip(options.inactivityMs - 10_000);
  expect([warnings, seen.expiries]).toEqual([[], 0]);
  await skip(10_000);
  expect([warnings, seen.expiries]).toEqual([[], 1]);
});

it('warns and expires the session even after a failed query', async () => {
  const { activity, skip, warnings, failures, seen, outcome } = watchActivity({ isAlone: false });
  activity.start();
  outcome.read = new Error('the database is away');
  await skip(541_000);
  expect([failures.length, warnings.length]).toEqual([1, 0]);
  await skip(1_000);
  expect([failures.length, warnings.length]).toEqual([2, 0]);
  outcome.read = null;
  await skip(2_000);
  expect([failures.length, warnings.length]).toEqual([2, 1]);
  await skip(60_000);
  expect(seen.expiries).toBe(1);
});

it('doubles the delay after each failed check, up to a minute', async () => {
  const { activity, skip, failures, outcome } = watchActivity({ isAlone: false, hasIdleWarning: false });
  activity.start();
  outcome.read = new Error('the database is away');
  await skip(INACTIVITY_MS);
  for (const [index, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
    await skip(seconds * 1_000 - 1);
    expect(failures).toHaveLength(index + 1);
    await skip(1);
    expect(failures).toHaveLength(index + 2);
  }
});
