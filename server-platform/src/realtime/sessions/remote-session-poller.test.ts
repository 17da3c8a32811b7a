import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import type { Database } from '../../db/index.ts';
import { NO_PEERS } from '../bus/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { RemoteSessionPoller } from './remote-session-poller.ts';

// Fake time moves only when the test advances it, so a slow machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Follows one session of another node; database queries complete on request. */
function follow({ isShared = true, isOwned = false, isOver = false, connections = 1 } = {}) {
  const clock = createSkippingClock();
  const bus = { isAlone: false, isUp: true, reaches: true, owner: 'other' as string | null };
  const held: {
    readonly resolve: (rows: readonly object[]) => void;
    readonly reject: (error: Error) => void;
  }[] = [];
  const noted: number[] = [];
  const failures: string[] = [];
  let reportLoss: () => void = () => {};
  const onPossibleLoss = (listener: () => void): void => {
    reportLoss = listener;
  };
  const database = {
    query: () => new Promise((resolve, reject) => held.push({ resolve, reject })),
  } as unknown as Database;
  const context = {
    database,
    clock,
    observer: { failed: (_what: string, error: unknown) => failures.push(String(error)) },
    peers: {
      ...NO_PEERS,
      isShared,
      get isAlone() {
        return bus.isAlone;
      },
      get isUp() {
        return bus.isUp;
      },
      canReach: () => bus.reaches,
      onPossibleLoss,
    },
  } as unknown as MessagingContext;
  const session = {
    id: 'session',
    isOwned,
    isOver,
    usage: { connections, unusedSinceMs: 0 },
    get owner() {
      return bus.owner;
    },
    async applyRemoteStatus({ lastSequence }: { readonly lastSequence: number }) {
      noted.push(lastSequence);
    },
  };
  const followed = new RemoteSessionPoller(context, new Map([[session.id, session]]));
  return {
    bus,
    clock,
    followed,
    noted,
    failures,
    doubt: () => reportLoss(),
    /** Pending database queries. */
    get looks() {
      return held.length;
    },
    async answer(lastSequence: number) {
      held
        .shift()
        ?.resolve([
          { id: 'session', last_sequence: lastSequence, last_activity: 0, ended_at: null, owner: null },
        ]);
      await settled();
    },
    async fail() {
      held.shift()?.reject(new Error('the database is away'));
      await settled();
    },
  };
}

it('polls the log of remote sessions after a possible loss, and once more for a loss meanwhile', async () => {
  const session = follow();
  session.followed.start();
  session.doubt();
  session.doubt();
  expect(session.looks).toBe(1);
  session.doubt();
  await session.answer(7);
  expect(session.noted).toEqual([7]);
  expect(session.looks).toBe(1);
  await session.answer(8);
  expect(session.noted).toEqual([7, 8]);
  expect(session.looks).toBe(0);
});

it('polls at intervals, also after a failed poll, and stops when closed', async () => {
  const session = follow();
  session.followed.start();
  session.clock.skip(4_000);
  expect(session.looks).toBe(0);
  session.clock.skip(1_000);
  expect(session.looks).toBe(1);
  await session.fail();
  expect(session.failures).toEqual(['Error: the database is away']);
  session.clock.skip(5_000);
  await session.answer(7);
  expect(session.noted).toEqual([7]);
  await session.followed.stop();
  session.clock.skip(60_000);
  session.doubt();
  expect(session.looks).toBe(0);
});

it.each([
  { what: 'the bus is down', change: { isUp: false }, afterMs: 500 },
  { what: 'the owner cannot be reached', change: { reaches: false }, afterMs: 500 },
  { what: 'nobody owns the session', change: { reaches: false, owner: null }, afterMs: 5_000 },
  { what: 'all is well', change: {}, afterMs: 5_000 },
])('looks again after $afterMs ms when $what', ({ change, afterMs }) => {
  const session = follow();
  Object.assign(session.bus, change);
  session.followed.start();
  session.clock.skip(afterMs / 2);
  expect(session.looks).toBe(0);
  session.clock.skip(afterMs / 2);
  expect(session.looks).toBe(1);
});

it('polls nothing while its node is alone, and resumes when it is not', () => {
  const session = follow();
  Object.assign(session.bus, { isAlone: true, isUp: false });
  session.followed.start();
  for (let count = 0; count < 12; count += 1) session.clock.skip(500);
  expect(session.looks).toBe(0);
  session.bus.isAlone = false;
  session.clock.skip(5_000);
  expect(session.looks).toBe(1);
});

it.each([{ isOwned: true }, { isOver: true }, { connections: 0 }])(
  'does not poll a session without a remote owner or local sockets: %o',
  (state) => {
    const session = follow(state);
    session.followed.start();
    session.doubt();
    expect(session.looks).toBe(0);
  },
);

it('waits for a running poll when stopped, and polls no more', async () => {
  const session = follow();
  session.followed.start();
  session.doubt();
  let isStopped = false;
  const stopped = session.followed.stop().then(() => {
    isStopped = true;
  });
  await settled();
  expect(isStopped).toBe(false);
  await session.answer(7);
  await stopped;
  const alone = follow();
  alone.bus.isAlone = true;
  alone.followed.start();
  await alone.followed.stop();
  alone.bus.isAlone = false;
  for (const { clock } of [session, alone]) clock.skip(60_000);
  expect([session.looks, alone.looks]).toEqual([0, 0]);
});

it('does nothing on a single-node platform', () => {
  const session = follow({ isShared: false });
  session.followed.start();
  session.doubt();
  session.followed.poll();
  session.clock.skip(60_000);
  expect(session.looks).toBe(0);
});

it('schedules the next poll from the end of the last one', async () => {
  const session = follow();
  session.followed.start();
  session.clock.skip(4_000);
  session.doubt();
  await session.answer(7);
  session.clock.skip(4_999);
  expect(session.looks).toBe(0);
  session.clock.skip(1);
  expect(session.looks).toBe(1);
});
