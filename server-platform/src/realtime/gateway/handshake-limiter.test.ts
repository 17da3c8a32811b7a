import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import type { Clock } from '../../kit/clock.ts';
import { HandshakeLimiter } from './handshake-limiter.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function createAdmission(maxWaiting = 10) {
  const clock = createSkippingClock();
  const handshakes = new HandshakeLimiter({ clock, maxAtOnce: 2, maxWaiting, maxWaitMs: 10_000 });
  const order: string[] = [];
  const come = async (name: string): Promise<void> => {
    order.push(`${name} ${(await handshakes.acquire()) ? 'in' : 'away'}`);
  };
  return { clock, handshakes, order, come };
}

it('admits a limited number of handshakes at a time, the others in order of arrival', async () => {
  const { handshakes, order, come } = createAdmission();
  for (const name of ['a', 'b', 'c', 'd', 'e']) void come(name);
  await settled();
  expect(order).toEqual(['a in', 'b in']);
  expect(handshakes.waitingCount).toBe(3);
  handshakes.release();
  await settled();
  expect(order).toEqual(['a in', 'b in', 'c in']);
  for (let count = 0; count < 4; count++) handshakes.release();
  await settled();
  expect(order).toEqual(['a in', 'b in', 'c in', 'd in', 'e in']);
  void come('f');
  await settled();
  expect(order.at(-1)).toBe('f in');
});

it('rejects handshakes that waited too long, and those that find the queue full', async () => {
  const { clock, handshakes, order, come } = createAdmission(1);
  for (const name of ['a', 'b', 'c', 'd']) void come(name);
  await settled();
  expect(order).toEqual(['a in', 'b in', 'd away']);
  clock.skip(10_000);
  await settled();
  expect(order.at(-1)).toBe('c away');
  // Slots must not go to clients that have disconnected.
  handshakes.release();
  handshakes.release();
  for (const name of ['e', 'f', 'g']) void come(name);
  await settled();
  expect(order.slice(-2)).toEqual(['e in', 'f in']);
});

it('rejects an aborted handshake at once, and frees the queue place of one that aborts while waiting', async () => {
  const { handshakes, order, come } = createAdmission(1);
  expect(await handshakes.acquire(AbortSignal.abort())).toBe(false);
  for (const name of ['a', 'b']) void come(name);
  await settled();
  expect(order).toEqual(['a in', 'b in']);
  const gone = new AbortController();
  const waiting = handshakes.acquire(gone.signal);
  gone.abort();
  expect(await waiting).toBe(false);
  void come('c');
  expect(handshakes.waitingCount).toBe(1);
  handshakes.release();
  await settled();
  expect(order.at(-1)).toBe('c in');
});

it('keeps no timer or listener for an admitted handshake', async () => {
  const skipping = createSkippingClock();
  let timers = 0;
  const clock: Clock = {
    now: () => skipping.now(),
    setTimer(callback, delayMs) {
      const cancel = skipping.setTimer(callback, delayMs);
      timers += 1;
      return () => {
        timers -= 1;
        cancel();
      };
    },
  };
  const handshakes = new HandshakeLimiter({ clock, maxAtOnce: 1, maxWaiting: 1, maxWaitMs: 10_000 });
  await handshakes.acquire();
  const { signal } = new AbortController();
  const waiting = handshakes.acquire(signal);
  expect([timers, getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
  handshakes.release();
  expect(await waiting).toBe(true);
  expect([timers, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
});
