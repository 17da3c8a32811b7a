import { expect, it } from 'vitest';
import { createTokenBucket } from './token-bucket.ts';

const START_MS = 1_000_000;

function countTaken(take: (nowMs: number) => boolean, nowMs: number, tries = 100): number {
  return Array.from({ length: tries }, () => take(nowMs)).filter(Boolean).length;
}

it('starts a bucket full, and empties it after its capacity in frames', () => {
  const bucket = createTokenBucket({ capacity: 20, refillPerSecond: 5 });
  expect(countTaken((nowMs) => bucket.take(nowMs), START_MS)).toBe(20);
});

it('refills a bucket steadily, never above its capacity', () => {
  const bucket = createTokenBucket({ capacity: 20, refillPerSecond: 5 });
  countTaken((nowMs) => bucket.take(nowMs), START_MS);
  expect(bucket.take(START_MS + 199)).toBe(false);
  expect(bucket.take(START_MS + 200)).toBe(true);
  expect(bucket.take(START_MS + 200)).toBe(false);
  expect(countTaken((nowMs) => bucket.take(nowMs), START_MS + 1_200)).toBe(5);
  expect(countTaken((nowMs) => bucket.take(nowMs), START_MS + 3_600_000)).toBe(20);
});

it('charges nothing for a refused frame, and survives a clock set back', () => {
  const bucket = createTokenBucket({ capacity: 2, refillPerSecond: 1 });
  countTaken((nowMs) => bucket.take(nowMs), START_MS);
  expect(bucket.take(START_MS - 60_000)).toBe(false);
  expect(bucket.take(START_MS - 59_000)).toBe(true);
  expect(bucket.take(START_MS - 59_000)).toBe(false);
});
