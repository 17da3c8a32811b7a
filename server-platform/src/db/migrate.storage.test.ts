import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { describeServer, describeStorage } from '../../test/db/describe-storage.ts';
import { type EmptyTestDatabase, testMigration } from '../../test/db/engines.ts';
import {
  addOwnedSession,
  addTestConnector,
  claimTestSession,
  expireLease,
  testMessage,
} from '../../test/db/fixtures.ts';
import { createEventLog } from '../realtime/event-log/event-log.ts';
import { DatabaseError } from './database-error.ts';
import { listMissingMigrations, migrate, parseMigration, readMigrations } from './migrate.ts';
import type { Database } from './sql.ts';

const FIRST = testMigration('0000_first.sql', 'CREATE TABLE boats (name text)');
const SECOND = testMigration(
  '0001_second.sql',
  'ALTER TABLE boats ADD length int',
  "INSERT INTO boats VALUES ('Fulmar', 40)",
);
/** Has one migration more than this release. */
const NEXT_RELEASE = new URL('../../test/db/next-release/', import.meta.url);

describeStorage('migrating', ({ openEmpty }) => {
  let place: EmptyTestDatabase;
  afterEach(() => place.close());
  const start = async (): Promise<void> => {
    place = await openEmpty();
  };
  const run = (...migrations: readonly (typeof FIRST)[]): Promise<readonly string[]> =>
    migrate(place.database, { schema: place.schema, migrations });

  it('applies missing migrations in order, once', async () => {
    await start();
    expect(await run(FIRST)).toEqual(['0000_first.sql']);
    expect(await run(FIRST, SECOND)).toEqual(['0001_second.sql']);
    expect(await run(FIRST, SECOND)).toEqual([]);
    expect(await place.database.query('SELECT name, length FROM boats')).toEqual([
      { name: 'Fulmar', length: 40 },
    ]);
  });

  it('lists pending migrations, and none of a database without tables', async () => {
    await start();
    const missing = (): Promise<readonly string[] | null> =>
      listMissingMigrations(place.database, [FIRST, SECOND]);
    expect(await missing()).toBeNull();
    await run(FIRST);
    expect(await missing()).toEqual(['0001_second.sql']);
    await run(FIRST, SECOND);
    expect(await missing()).toEqual([]);
  });

  it('changes nothing when a later migration fails', async () => {
    await start();
    const broken = testMigration(
      '0001_broken.sql',
      'CREATE TABLE extra (id int)',
      'ALTER TABLE nowhere ADD x int',
    );
    await expect(run(FIRST, broken)).rejects.toMatchObject({ sqlState: '42P01' });
    await expect(place.database.query('SELECT * FROM boats')).rejects.toMatchObject({ sqlState: '42P01' });
    expect(await run(FIRST, SECOND)).toHaveLength(2);
  });

  it('repeats migrations that lost to a writer, and gives up when they lose repeatedly', async () => {
    await start();
    const losing = (times: number): Database => {
      let left = times;
      return {
        ...place.database,
        tx: (body) =>
          place.database.tx(async (sql) => {
            const result = await body(sql);
            left -= 1;
            if (left >= 0) throw new DatabaseError('conflict', 'deadlock detected', { sqlState: '40P01' });
            return result;
          }),
      };
    };
    const options = { schema: place.schema, migrations: [FIRST] };
    await expect(migrate(losing(100), options)).rejects.toMatchObject({ sqlState: '40P01' });
    expect(await migrate(losing(2), options)).toEqual(['0000_first.sql']);
  });

  it('refuses a migration file that was changed after it was applied', async () => {
    await start();
    await run(FIRST);
    await expect(run({ ...FIRST, checksum: 'other' })).rejects.toThrow('0000_first.sql was changed');
  });

  it('refuses a database that is newer than the program', async () => {
    await start();
    await run(FIRST, SECOND);
    await expect(run(FIRST)).rejects.toThrow('0001_second.sql, which this version does not know');
  });

  it("keeps the data during the next release's migrations, while nodes of this release continue", async () => {
    await start();
    const { database, schema } = place;
    await migrate(database, { schema });
    const { sessionId, epoch } = await addOwnedSession(database, await addTestConnector(database));
    const log = createEventLog(database);
    const say = async (): Promise<number> => {
      const result = await log.append({ sessionId, epoch, events: [testMessage(randomUUID())] });
      if (result.status !== 'appended') throw new Error(result.status);
      return result.events[0]?.sequence ?? 0;
    };
    expect(await say()).toBe(2);
    let isOver = false;
    const talking = (async (): Promise<number> => {
      for (;;) {
        const sequence = await say();
        if (isOver) return sequence;
      }
    })();
    const next = [...(await readMigrations()), ...(await readMigrations(NEXT_RELEASE))];
    expect(await migrate(database, { schema, migrations: next })).toEqual(['9999_next_release.sql']);
    isOver = true;
    const last = await talking;
    const read = await log.readAfter(sessionId, 0, last + 1);
    expect(read.map(({ sequence }) => sequence)).toEqual(Array.from({ length: last }, (_, at) => at + 1));
    expect(await database.query('SELECT berth, tide FROM moorings JOIN sessions ON session_id = id')).toEqual(
      [{ berth: 'berth of web', tide: 'high' }],
    );
    // Another node of this release takes the session over.
    await expireLease(database, 'node-a');
    const taken = await claimTestSession(database, sessionId, 'node-b');
    expect(taken).toMatchObject({ lastSequence: last, ownerEpoch: epoch + 1 });
    expect(await log.append({ sessionId, epoch, events: [testMessage('late')] })).toEqual({
      status: 'stale_owner',
    });
    // A node of this release must not start there.
    await expect(migrate(database, { schema })).rejects.toThrow('Start the newer version of the platform');
    await expect(listMissingMigrations(database)).rejects.toThrow('9999_next_release.sql');
  });

  it('creates the platform’s tables', async () => {
    await start();
    await migrate(place.database, { schema: place.schema });
    const rows = await place.database.query<{ table_name: string }>(
      'SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1',
    );
    const expected = ['accounts', 'connectors', 'events', 'migrations', 'projects', 'sessions', 'turns'];
    expect(rows.map((row) => row.table_name)).toEqual(expect.arrayContaining(expected));
  });
});

describeServer('two processes on one server', ({ openEmpty }) => {
  it('applies the migrations of concurrent starts one after the other, in any order', async () => {
    const place = await openEmpty();
    const others = await Promise.all([place.openAgain(), place.openAgain(), place.openAgain()]);
    const options = { schema: place.schema, migrations: [FIRST, SECOND] };
    const applied = await Promise.all(
      [place.database, ...others].map((database) => migrate(database, options)),
    );
    expect(applied.map((names) => names.length).sort()).toEqual([0, 0, 0, 2]);
    await Promise.all(others.map((database) => database.close()));
    await place.close();
  });
});

describe('the migration files', () => {
  it('reads migration files in the order of their names', async () => {
    const migrations = await readMigrations();
    const files = (await readdir(new URL('../../migrations/', import.meta.url))).filter((name) =>
      name.endsWith('.sql'),
    );
    expect(migrations.map(({ name }) => name)).toEqual(files.sort());
    expect(migrations.every(({ statements }) => statements.length > 0)).toBe(true);
  });

  it('names no schema in migrations, so that they fill the chosen one', () => {
    const text =
      'CREATE TABLE a (b int);--> statement-breakpoint\nALTER TABLE a ADD FOREIGN KEY (b) REFERENCES "public"."c"("d");';
    expect(parseMigration('x.sql', text).statements).toEqual([
      'CREATE TABLE a (b int);',
      'ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES "c"("d");',
    ]);
  });
});
