import { expect, it } from 'vitest';
import { fillBuckets } from './fill-buckets.ts';

it('a range has an interval for every step, with null where nothing happened', () => {
  const entries = [
    { bucket: 200, n: 1 },
    { bucket: 400, n: 2 },
  ];
  const filled = fillBuckets(entries, { from_ms: 150, to_ms: 420, bucket_ms: 100 });
  expect(filled.map(({ atMs, entry }) => [atMs, entry?.n ?? null])).toEqual([
    [100, null],
    [200, 1],
    [300, null],
    [400, 2],
  ]);
});
