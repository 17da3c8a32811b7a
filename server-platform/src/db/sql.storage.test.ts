import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import type { EmptyTestDatabase } from '../../test/db/engines.ts';
import { openDatabase } from './open-database.ts';

describeStorage('the statements of the database', ({ openEmpty }) => {
  let place: EmptyTestDatabase;
  const query: EmptyTestDatabase['database']['query'] = (...args) => place.database.query(...args);

  beforeAll(async () => {
    place = await openEmpty();
    await query('CREATE TABLE notes (id int PRIMARY KEY, body json)');
  });
  afterAll(() => place.close());

  it('returns bigint and counts as numbers', async () => {
    const rows = await query('SELECT 9007199254740991::bigint AS big, count(*) AS n FROM notes WHERE id < 0');
    expect(rows).toEqual([{ big: 9_007_199_254_740_991, n: 0 }]);
  });

  it('refuses a bigint that a number cannot hold exactly', async () => {
    await expect(query('SELECT 9007199254740993::bigint AS big')).rejects.toThrow('safe integers');
  });

  it.each([{ prepare: false }, { prepare: true }])(
    'accepts every kind of parameter ($prepare)',
    async (how) => {
      const rows = await query(
        `SELECT $1::text AS t, $2::bigint AS n, $3::boolean AS b, $4::json AS j, $5::uuid AS missing,
                $6::text[] AS texts, $7::bigint[] AS numbers, $8::bytea AS bytes`,
        [
          'ü"\\',
          7,
          true,
          '{"a":[1,null]}',
          null,
          ['a"b', 'c,{}\\', '', null],
          [1, null],
          new Uint8Array([0, 255]),
        ],
        how,
      );
      expect(rows).toMatchObject([
        {
          t: 'ü"\\',
          n: 7,
          b: true,
          j: { a: [1, null] },
          missing: null,
          texts: ['a"b', 'c,{}\\', '', null],
        },
      ]);
      expect(rows[0]?.['numbers']).toEqual([1, null]);
      expect(Buffer.from(Object(rows[0]?.['bytes'])).toString('hex')).toBe('00ff');
    },
  );

  it('stores text as json that jsonb refuses', async () => {
    const body = { text: 'nul \u0000, half a pair \ud800' };
    await query('INSERT INTO notes VALUES (1, $1::json)', [JSON.stringify(body)]);
    expect(await query('SELECT body FROM notes WHERE id = 1')).toEqual([{ body }]);
  });

  it('commits a transaction whose body resolves', async () => {
    const result = await place.database.tx(async (sql) => {
      await sql.query('INSERT INTO notes VALUES (10)');
      return 'done';
    });
    expect(result).toBe('done');
    expect(await query('SELECT id FROM notes WHERE id = 10')).toHaveLength(1);
  });

  it('rolls back a transaction whose body rejects, and passes the error on', async () => {
    const failure = new Error('changed my mind');
    const attempt = place.database.tx(async (sql) => {
      await sql.query('INSERT INTO notes VALUES (20)');
      throw failure;
    });
    await expect(attempt).rejects.toBe(failure);
    expect(await query('SELECT id FROM notes WHERE id = 20')).toEqual([]);
  });

  it('rolls back an inner transaction alone', async () => {
    await place.database.tx(async (sql) => {
      await sql.query('INSERT INTO notes VALUES (30)');
      const inner = sql.tx(async (deeper) => {
        await deeper.query('INSERT INTO notes VALUES (31)');
        await deeper.query('INSERT INTO notes VALUES (31)');
      });
      await expect(inner).rejects.toMatchObject({ code: 'conflict' });
      await sql.query('INSERT INTO notes VALUES (32)');
    });
    expect(await query('SELECT id FROM notes WHERE id BETWEEN 30 AND 32 ORDER BY id')).toEqual([
      { id: 30 },
      { id: 32 },
    ]);
  });

  it('rolls back all of an inner transaction that contains a failed one', async () => {
    await place.database.tx(async (sql) => {
      const inner = sql.tx(async (deeper) => {
        await deeper.query('INSERT INTO notes VALUES (35)');
        await deeper.tx(() => Promise.reject(new Error('changed my mind')));
      });
      await expect(inner).rejects.toThrow('mind');
    });
    expect(await query('SELECT id FROM notes WHERE id = 35')).toEqual([]);
  });

  it('commits the changes of an inner transaction', async () => {
    await place.database.tx(async (sql) => {
      for (const id of [33, 34])
        await sql.tx(async (deeper) => {
          await deeper.tx((third) =>
            third.tx((fourth) => fourth.query('INSERT INTO notes VALUES ($1)', [id])),
          );
        });
      await expect(sql.tx(() => Promise.reject(new Error('changed my mind')))).rejects.toThrow('mind');
    });
    expect(await query('SELECT id FROM notes WHERE id IN (33, 34)')).toHaveLength(2);
  });

  it('keeps other statements out of a transaction', async () => {
    const seen: string[] = [];
    let outside: Promise<unknown> = Promise.resolve();
    await place.database.tx(async (sql) => {
      await sql.query('INSERT INTO notes VALUES (40)');
      outside = query('SELECT id FROM notes WHERE id = 40').then((rows) =>
        seen.push(`outside saw ${rows.length}`),
      );
      await sql.query('SELECT 1');
      await sql.query('DELETE FROM notes WHERE id = 40');
    });
    await outside;
    expect(seen).toEqual(['outside saw 0']);
  });

  it.each([{ prepare: false }, { prepare: true }])(
    'continues after a failed statement ($prepare)',
    async (how) => {
      const insert = 'INSERT INTO notes VALUES ($1) RETURNING id';
      const id = how.prepare ? 50 : 51;
      await query(insert, [id], how);
      await expect(query(insert, [id], how)).rejects.toMatchObject({
        code: 'conflict',
        constraint: 'notes_pkey',
      });
      await expect(query(insert, [id + 10], how)).resolves.toEqual([{ id: id + 10 }]);
    },
  );

  it('reports a failed statement without its values', async () => {
    const secret = 'the-visitor-wrote-this';
    const attempts = [
      () => query('SELECT $1::uuid', [secret]),
      () => query('SELECT $1::json', [`{${secret}`]),
      () => query('SELECT $1::text::int', [secret], { prepare: true }),
      () => query('INSERT INTO notes VALUES ($1), ($1)', [70]),
    ];
    for (const attempt of attempts) {
      const error: unknown = await attempt().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'DatabaseError', sqlState: expect.stringMatching(/^2/) });
      const text = JSON.stringify(error) + String(error) + String((error as Error).cause);
      expect(text).not.toContain(secret);
      expect(text).not.toContain('70');
    }
    await expect(query('SELECT * FROM nowhere')).rejects.toThrow('relation "nowhere" does not exist');
  });

  it('prepares only the requested statements', async () => {
    const kept = await place.database.tx(async (sql) => {
      await sql.query('SELECT 1 AS thrown_away');
      for (let use = 0; use < 2; use += 1) await sql.query('SELECT 1 AS kept_one', [], { prepare: true });
      return await sql.query(
        "SELECT statement FROM pg_prepared_statements WHERE statement ~ 'AS (k|t)[a-z_]+$'",
      );
    });
    expect(kept).toEqual([{ statement: 'SELECT 1 AS kept_one' }]);
  });

  it('keeps using prepared statements when their plans are renewed', async () => {
    await query('CREATE TABLE grown (id int PRIMARY KEY, body text)');
    const kept = 'SELECT body FROM grown WHERE id = $1';
    for (let use = 0; use < 8; use += 1) await query(kept, [1], { prepare: true });
    await query("INSERT INTO grown SELECT n, 'b' || n FROM generate_series(1, 5000) AS n");
    for (let use = 0; use < 600; use += 1) await query(kept, [use + 1], { prepare: true });
    expect(await query(kept, [4_999], { prepare: true })).toEqual([{ body: 'b4999' }]);
  });
});

describeStorage('closing the database', ({ openEmpty }) => {
  it('finishes pending requests on close, then rejects new ones', async () => {
    const place = await openEmpty();
    const asked = place.database.query('SELECT 1 AS one');
    const begun = place.database.tx(async (sql) => {
      await sql.query('SELECT 1');
      return await sql.query('SELECT 2 AS two');
    });
    await Promise.all([place.database.close(), place.database.close()]);
    await expect(asked).resolves.toEqual([{ one: 1 }]);
    await expect(begun).resolves.toEqual([{ two: 2 }]);
    await expect(place.database.query('SELECT 1')).rejects.toMatchObject({ code: 'closed' });
    await expect(place.database.tx((sql) => sql.query('SELECT 1'))).rejects.toMatchObject({
      code: 'closed',
    });
    await place.close();
  });
});

describe('a database that is opened', () => {
  it('rejects an address without a database as unavailable', async () => {
    const nowhere = openDatabase({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
    await expect(nowhere).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });

  it.each([{}, { databaseUrl: '' }, { dataDir: '' }, { databaseUrl: '', dataDir: '' }])(
    'requires an address or a folder, not %o',
    async (options) => {
      await expect(openDatabase(options)).rejects.toThrow(TypeError);
    },
  );
});
