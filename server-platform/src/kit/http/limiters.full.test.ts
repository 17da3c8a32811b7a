import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/db/engines.ts';
import { POSTGRES_ENGINE } from '../../../test/db/postgres-engine.ts';
import { DatabaseClock, removeOldLimits, type Sql, useRateLimits } from '../../db/index.ts';
import { type CreateLimiter, limitersOfAllNodes } from './limiters.ts';

const MINUTE_MS = 60_000;

describe.skipIf(POSTGRES_ENGINE.skipped !== null)('limits for all nodes', () => {
  let place: TestDatabase;
  let createNode: () => CreateLimiter;
  const failures: string[] = [];
  beforeAll(async () => {
    place = await POSTGRES_ENGINE.open();
    const { database } = place;
    const clock = await DatabaseClock.start({ sql: database });
    createNode = () => limitersOfAllNodes({ database, clock, onFailure: (what) => failures.push(what) });
  });
  afterAll(() => place.close());

  it('allows exactly the limit, however many nodes count at once', async () => {
    const nodes = Array.from({ length: 3 }, () =>
      createNode()('at once', { limit: 10, windowMs: MINUTE_MS }),
    );
    const verdicts = await Promise.all(
      nodes.flatMap((node) => Array.from({ length: 8 }, () => node.use('a'))),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10);
    const another = await createNode()('at once', { limit: 10, windowMs: MINUTE_MS }).use('a');
    expect(another).toEqual({ allowed: false, retryAfterSeconds: expect.any(Number) });
    expect(Reflect.get(another, 'retryAfterSeconds')).toBeGreaterThan(0);
    expect(Reflect.get(another, 'retryAfterSeconds')).toBeLessThanOrEqual(60);
    // Other keys are not affected.
    expect(await nodes[0]?.use('b')).toEqual({ allowed: true });
    expect(await createNode()('another', { limit: 10, windowMs: MINUTE_MS }).use('a')).toEqual({
      allowed: true,
    });
  });

  it("allows exactly the limit when a key's first uses exceed it", async () => {
    const limit = { limit: 10, windowMs: MINUTE_MS };
    const granted = await useRateLimits(place.database, new Map([['many', 12]]), limit);
    expect(granted.get('many')).toMatchObject({ granted: 10 });
  });

  it('counts in a sliding window, and forgets uses that have left it', async () => {
    const { database } = place;
    const limit = { limit: 2, windowMs: MINUTE_MS };
    const use = () => createNode()('window', limit).use('a');
    const pass = (ms: number) =>
      database.query(`UPDATE rate_limits SET kept_until = kept_until - ${ms},
        times = ARRAY(SELECT at - ${ms} FROM unnest(times) at) WHERE key LIKE 'window %'`);
    expect((await use()).allowed).toBe(true);
    await pass(40_000);
    expect((await use()).allowed).toBe(true);
    const refused = await use();
    expect(refused).toMatchObject({ allowed: false });
    // Until the first use is older than a minute.
    expect(Reflect.get(refused, 'retryAfterSeconds')).toBeLessThanOrEqual(20);
    await pass(21_000);
    // The first use is older than a minute, the second is not.
    expect((await use()).allowed).toBe(true);
    expect((await use()).allowed).toBe(false);
    await removeOldLimits(database);
    const rows = () => database.query("SELECT times FROM rate_limits WHERE key LIKE 'window %'");
    expect(await rows()).toHaveLength(1);
    await pass(2 * MINUTE_MS);
    await removeOldLimits(database);
    expect(await rows()).toEqual([]);
  });

  it('never deadlocks, in whatever order keys are counted', async () => {
    const { database } = place;
    const limit = { limit: 9, windowMs: MINUTE_MS };
    const use = (sql: Sql, ...keys: readonly string[]) =>
      useRateLimits(sql, new Map(keys.map((key) => [key, 1])), limit);
    let others: Promise<ReadonlyMap<string, object>> = Promise.resolve(new Map());
    await database.tx(async (sql) => {
      await use(sql, 'order a');
      const [own] = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      others = use(database, 'order b', 'order a');
      const blocked = 'SELECT pid FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
      await expect.poll(() => database.query(blocked, [own?.pid ?? 0])).toHaveLength(1);
      // The other statement waits for the first key, and has not locked the second.
      await use(sql, 'order b');
    });
    expect((await others).size).toBe(2);
  });

  it('stores neither an address nor a credential', async () => {
    await createNode()('private', { limit: 2, windowMs: MINUTE_MS }).use('203.0.113.7');
    const [row] = await place.database.query<{ all: string }>(
      'SELECT string_agg(r::text, chr(10)) AS all FROM rate_limits r',
    );
    expect(row?.all).toContain('private ');
    expect(row?.all).not.toContain('203.0.113');
  });

  it('limits per node while the database does not respond', async () => {
    await place.database.query('ALTER TABLE rate_limits RENAME TO away');
    const node = createNode()('away', { limit: 2, windowMs: MINUTE_MS });
    const verdicts = [await node.use('a'), await node.use('a'), await node.use('a')];
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    expect(failures).toEqual(['count requests in the database', 'count requests in the database']);
    await place.database.query('ALTER TABLE away RENAME TO rate_limits');
  });
});
