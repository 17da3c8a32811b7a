import { expect, it } from 'vitest';
import { ByteAllowance } from './byte-allowance.ts';

const LIMITS = { socketBytesPerSecond: 1_000, framesPerSecond: 5, maxFrameBytes: 100 };

function create(limits = LIMITS) {
  const time = { nowMs: 0 };
  const clock = { now: () => time.nowMs, setTimer: () => () => {} };
  return { allowance: new ByteAllowance({ clock, limits }), time };
}

it('lets four seconds of bytes through at once, and then as many as a second brings', () => {
  const { allowance, time } = create();
  for (let sent = 0; sent < 4_000; sent += 100) allowance.take(100);
  expect(allowance.isExceeded).toBe(false);
  allowance.take(100);
  expect(allowance.isExceeded).toBe(true);
  time.nowMs = 99;
  expect(allowance.isExceeded).toBe(true);
  time.nowMs = 100;
  expect(allowance.isExceeded).toBe(false);
});

it('saves no more than four seconds up', () => {
  const { allowance, time } = create();
  time.nowMs = 60_000;
  for (let sent = 0; sent <= 4_000; sent += 100) allowance.take(100);
  expect(allowance.isExceeded).toBe(true);
});

it('counts what a frame has too much four times', () => {
  const { allowance } = create();
  allowance.take(1_075);
  expect(allowance.isExceeded).toBe(false);
  allowance.take(1);
  expect(allowance.isExceeded).toBe(true);
});

it('allows what the limits of frames allow', () => {
  const { allowance } = create({ ...LIMITS, socketBytesPerSecond: 1 });
  for (let sent = 0; sent < 2_000; sent += 100) allowance.take(100);
  expect(allowance.isExceeded).toBe(false);
});

it('takes nothing away when the clock is set back', () => {
  const { allowance, time } = create();
  time.nowMs = -60_000;
  expect(allowance.isExceeded).toBe(false);
  allowance.take(100);
  expect(allowance.isExceeded).toBe(false);
});
