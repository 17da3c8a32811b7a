import { expect, it } from 'vitest';
import type { Sql, SqlValue } from '../../db/sql.ts';
import { coalesceReads } from './coalesce-reads.ts';

/** A database whose statements complete on request, each with a row that names it. */
function createHeld() {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const sql: Sql = {
    query: (text, params: readonly SqlValue[] = []) => {
      asked.push([text, ...params].join(' '));
      // The caller gets its own statement's rows.
      return new Promise((resolve) => held.push(() => resolve([{ of: params[0] }] as never)));
    },
    tx: (run) => run(sql),
  };
  return {
    shared: coalesceReads(sql),
    asked,
    async release() {
      for (const end of held.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('runs equal waiting reads once, and gives each caller its own rows', async () => {
  const { shared, asked, release } = createHeld();
  const reads = ['a', 'b', 'a'].map((value) => shared.query('SELECT', [value]));
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual(['SELECT a', 'SELECT b']);
  // A running read may return data older than this request, so the request waits.
  const late = shared.query('SELECT', ['a']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual(['SELECT a', 'SELECT b']);
  await release();
  expect(await Promise.all(reads)).toEqual([[{ of: 'a' }], [{ of: 'b' }], [{ of: 'a' }]]);
  expect(asked).toEqual(['SELECT a', 'SELECT b', 'SELECT a']);
  await release();
  expect(await late).toEqual([{ of: 'a' }]);
});

it('runs at most 16 different reads at a time, and completes all', async () => {
  const { shared, asked, release } = createHeld();
  const values = Array.from({ length: 40 }, (_, index) => index);
  const reads = Promise.all(values.map((value) => shared.query('SELECT', [value])));
  const counts: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    counts.push(asked.length);
    await release();
  }
  expect(counts).toEqual([16, 32, 40, 40]);
  expect(await reads).toEqual(values.map((of) => [{ of }]));
});
