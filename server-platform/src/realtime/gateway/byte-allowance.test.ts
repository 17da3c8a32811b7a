import { expect, it } from 'vitest';
import { ByteAllowance } from './byte-allowance.ts';

const LIMITS = { socketBytesPerSecond: 1_000, framesPerSecond: 5, maxFrameBytes: 100 };

function create(limits = LIMITS) {
  const time = { nowMs: 0 };
  const clock = { now: () => time.nowMs, setTimer: () => () => {} };
  return { allowance: new ByteAllowance({ clock, limits }), time };
}

it('allows four seconds of bytes at once, and then as many as each second refills', () => {
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

it('accumulates at most four seconds of bytes', () => {
  const { allowance, time } = create();
  time.nowMs = 60_000;
  for (let sent = 0; sent <= 4_000; sent += 100) allowance.take(100);
  expect(allowance.isExceeded).toBe(true);
});

it('counts the excess of an oversized frame four times', () => {
  const { allowance } = create();
  allowance.take(1_075);
  expect(allowance.isExceeded).toBe(false);
  allowance.take(1);
  expect(allowance.isExceeded).toBe(true);
});

it('allows at least the bytes that the frame limits allow', () => {
  const { allowance } = create({ ...LIMITS, socketBytesPerSecond: 1 });
  for (let sent = 0; sent < 2_000; sent += 100) allowance.take(100);
  expect(allowance.isExceeded).toBe(false);
});

it('survives a clock set back without losing allowance', () => {
  const { allowance, time } = create();
  time.nowMs = -60_000;
  expect(allowance.isExceeded).toBe(false);
  allowance.take(100);
  expect(allowance.isExceeded).toBe(false);
});
