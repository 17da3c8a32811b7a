import { expect, it } from 'vitest';
import { readLogPages } from './read-log-pages.ts';

/** Reads a log of `last` events whose pages hold at most `fitting`, and returns the requests. */
async function readAll(cursor: number, last: number, fitting: (limit: number) => number) {
  const asked: [cursor: number, limit: number][] = [];
  const read: number[] = [];
  const pages = readLogPages(async (after, limit) => {
    asked.push([after, limit]);
    const count = Math.min(last - after, limit, fitting(limit));
    const events = Array.from({ length: Math.max(count, 0) }, (_, index) => ({
      sequence: after + index + 1,
    }));
    return { events, hasMore: after + events.length < last };
  }, cursor);
  for await (const { events } of pages) read.push(...events.map(({ sequence }) => sequence));
  expect(read).toEqual(Array.from({ length: Math.max(last - cursor, 0) }, (_, index) => cursor + index + 1));
  return asked;
}

it('requests 64 events, then 200 at a time, until the log reports its end', async () => {
  const all = (limit: number): number => limit;
  expect(await readAll(0, 300, all)).toEqual([
    [0, 64],
    [64, 200],
    [264, 200],
  ]);
  expect(await readAll(10, 74, all)).toEqual([[10, 64]]);
  expect(await readAll(10, 10, all)).toEqual([[10, 64]]);
});

it('requests twice as many as fitted after a page that was cut short, but at least four', async () => {
  expect(await readAll(0, 12, () => 5)).toEqual([
    [0, 64],
    [5, 10],
    [10, 10],
  ]);
  expect(await readAll(0, 3, () => 1)).toEqual([
    [0, 64],
    [1, 4],
    [2, 4],
  ]);
  // Never requests more than before: as many as that did not fit.
  expect(await readAll(0, 100, () => 40)).toEqual([
    [0, 64],
    [40, 64],
    [80, 64],
  ]);
});
