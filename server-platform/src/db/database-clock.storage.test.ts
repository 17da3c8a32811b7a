import { expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import { DatabaseClock } from './database-clock.ts';
import type { Sql } from './sql.ts';

/** A database with a settable clock and slow responses. */
function stage() {
  const time = { monotonicMs: 5_000, databaseMs: 1_700_000_000_000, thereMs: 0, backMs: 0 };
  const steps: number[] = [];
  const pass = (ms: number): void => {
    time.monotonicMs += ms;
    time.databaseMs += ms;
  };
  const sql: Sql = {
    async query<Row extends object>() {
      pass(time.thereMs);
      const row = { now: Math.floor(time.databaseMs) };
      pass(time.backMs);
      return [row] as unknown as readonly Row[];
    },
    tx: async (run) => await run(sql),
  };
  const monotonic = () => time.monotonicMs;
  const start = () => DatabaseClock.start({ sql, monotonic, onStep: (byMs) => steps.push(byMs) });
  return { time, steps, pass, start };
}

it("returns the database's time, and advances between queries", async () => {
  const { time, pass, start } = stage();
  const clock = await start();
  expect(Math.abs(clock.now() - time.databaseMs)).toBeLessThanOrEqual(1);
  pass(86_400_000.4);
  expect(Math.abs(clock.now() - time.databaseMs)).toBeLessThanOrEqual(1);
  expect(Number.isInteger(clock.now())).toBe(true);
});

it("is wrong by at most half of the query's duration, and by less after the next quick one", async () => {
  const { time, steps, start } = stage();
  Object.assign(time, { thereMs: 400, backMs: 0 });
  const clock = await start();
  expect(Math.abs(clock.now() - time.databaseMs)).toBeLessThanOrEqual(201);
  Object.assign(time, { thereMs: 2, backMs: 2 });
  await clock.follow();
  expect(Math.abs(clock.now() - time.databaseMs)).toBeLessThanOrEqual(3);
  const before = clock.now() - time.databaseMs;
  // A response during which this node was suspended is too imprecise to contradict the clock.
  Object.assign(time, { thereMs: 3, backMs: 30_000 });
  await clock.follow();
  expect(Math.abs(clock.now() - time.databaseMs - before)).toBeLessThanOrEqual(1);
  expect(steps).toEqual([]);
});

it('follows a database clock that is set forward or back, and reports it', async () => {
  const { time, steps, start } = stage();
  const clock = await start();
  for (const byMs of [600_000, -900_000]) {
    time.databaseMs += byMs;
    await clock.follow();
    expect(Math.abs(clock.now() - time.databaseMs)).toBeLessThanOrEqual(1);
  }
  expect(steps.map((byMs) => Math.round(byMs / 1_000))).toEqual([600, -900]);
});

it("measures how far the machine's clock is ahead of the database's", async () => {
  const { time, start } = stage();
  time.databaseMs = Date.now() - 300_000;
  const clock = await start();
  time.monotonicMs = 5_000;
  expect(Math.round(clock.machineAheadMs / 10_000)).toBe(30);
});

describeStorage('a node', ({ open }) => {
  it('keeps the time of the database on a node', async () => {
    const place = await open();
    const clock = await DatabaseClock.start({ sql: place.database });
    const [before] = await place.database.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms',
    );
    expect(Math.abs(clock.now() - Number(before?.ms))).toBeLessThan(5_000);
    await place.close();
  });
});
