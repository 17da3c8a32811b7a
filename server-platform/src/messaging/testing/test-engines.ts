import { randomUUID } from 'node:crypto';
import { type Database, migrate, openDatabase } from '../../db/index.ts';

/** A database that a test may fill, and what removes it again. */
export interface TestPlace {
  readonly database: Database;
  /** Closes the database and removes what was in it. */
  close(): Promise<void>;
}

/** A storage engine the tests run on. */
export interface TestEngine {
  readonly name: 'pglite' | 'postgres';
  /** How to reach the server; undefined for the embedded engine. */
  readonly databaseUrl: string | undefined;
  /** An empty, migrated database. */
  open(): Promise<TestPlace>;
}

const pglite: TestEngine = {
  name: 'pglite',
  databaseUrl: undefined,
  async open() {
    const database = await openDatabase({ dataDir: 'memory' });
    await migrate(database);
    return { database, close: () => database.close() };
  },
};

function postgres(databaseUrl: string): TestEngine {
  return {
    name: 'postgres',
    databaseUrl,
    async open() {
      const schema = `natter_test_${randomUUID().replaceAll('-', '')}`;
      const database = await openDatabase({ databaseUrl, schema });
      await migrate(database, { schema });
      return {
        database,
        async close() {
          await database.close();
          // A connection of its own: the test may have closed the other one, or left it in the middle of something.
          const cleaner = await openDatabase({ databaseUrl });
          await cleaner.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
          await cleaner.close();
        },
      };
    },
  };
}

const SERVER = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';

/** The engines of this machine: the embedded one always, a PostgreSQL server when one answers (`DATABASE_URL_TEST`). */
export async function findTestEngines(): Promise<readonly TestEngine[]> {
  try {
    await (await openDatabase({ databaseUrl: SERVER })).close();
    return [pglite, postgres(SERVER)];
  } catch {
    // Not reachable: the tests run on the embedded engine alone.
    return [pglite];
  }
}
