import { expect, it } from 'vitest';
import { createTokenBucket } from './token-bucket.ts';

const START_MS = 1_000_000;

function countTaken(take: (nowMs: number) => boolean, nowMs: number, tries = 100): number {
  return Array.from({ length: tries }, () => take(nowMs)).filter(Boolean).length;
}

it('a bucket is full at first, and empty after as many frames as it holds', () => {
  const bucket = createTokenBucket({ capacity: 20, refillPerSecond: 5 });
  expect(countTaken((nowMs) => bucket.take(nowMs), START_MS)).toBe(20);
});

it('a bucket is refilled steadily, and never beyond its capacity', () => {
  const bucket = createTokenBucket({ capacity: 20, refillPerSecond: 5 });
  countTaken((nowMs) => bucket.take(nowMs), START_MS);
  expect(bucket.take(START_MS + 199)).toBe(false);
  expect(bucket.take(START_MS + 200)).toBe(true);
  expect(bucket.take(START_MS + 200)).toBe(false);
  expect(countTaken((nowMs) => bucket.take(nowMs), START_MS + 1_200)).toBe(5);
  expect(countTaken((nowMs) => bucket.take(nowMs), START_MS + 3_600_000)).toBe(20);
});

it('a refused frame costs nothing, and a clock that is set back neither fills nor empties the bucket', () => {
  const bucket = createTokenBucket({ capacity: 2, refillPerSecond: 1 });
  countTaken((nowMs) => bucket.take(nowMs), START_MS);
  expect(bucket.take(START_MS - 60_000)).toBe(false);
  expect(bucket.take(START_MS - 59_000)).toBe(true);
  expect(bucket.take(START_MS - 59_000)).toBe(false);
});
