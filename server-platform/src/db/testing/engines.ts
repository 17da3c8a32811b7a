import { randomUUID } from 'node:crypto';
import { type Migration, migrate } from '../migrate.ts';
import { openDatabase } from '../open-database.ts';
import type { Database } from '../sql.ts';
import { lendDatabases } from './lend-databases.ts';
import { POSTGRES_URL, whyNoPostgres } from './postgres-server.ts';

/** A storage engine that tests run on. */
export type TestEngine = {
  readonly name: 'pglite' | 'postgres';
  /** How to reach the server; undefined for the embedded engine. */
  readonly databaseUrl: string | undefined;
  /** Why its tests are skipped, or null. */
  readonly skipped: string | null;
  /** Opens a database with the platform's tables and no rows. `close` removes what was in it. */
  readonly open: () => Promise<TestDatabase>;
  /** Opens a database of its own, without tables. `close` removes what was in it. */
  readonly openEmpty: () => Promise<EmptyTestDatabase>;
};

/** An open test database. */
export type TestDatabase = {
  readonly database: Database;
  readonly close: () => Promise<void>;
};

/** A test database without tables. */
export type EmptyTestDatabase = TestDatabase & {
  /** Schema to migrate, on PostgreSQL. */
  readonly schema: string | undefined;
  /** Opens the same place again: another node. PostgreSQL only. */
  readonly openAgain: () => Promise<Database>;
};

async function openEmbedded(): Promise<EmptyTestDatabase> {
  const database = await openDatabase({ dataDir: 'memory' });
  const openAgain = (): Promise<Database> => Promise.reject(new Error('one process at a time'));
  return { database, schema: undefined, openAgain, close: () => database.close() };
}

async function openSchema(): Promise<EmptyTestDatabase> {
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  const openAgain = (): Promise<Database> => openDatabase({ databaseUrl: POSTGRES_URL, schema });
  const database = await openAgain();
  await database.query(`CREATE SCHEMA ${schema}`);
  return {
    database,
    schema,
    openAgain,
    async close() {
      await database.close();
      const cleaner = await openDatabase({ databaseUrl: POSTGRES_URL });
      await cleaner.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await cleaner.close();
    },
  };
}

function engine(
  about: Pick<TestEngine, 'name' | 'databaseUrl' | 'skipped'>,
  openEmpty: TestEngine['openEmpty'],
): TestEngine {
  const open = lendDatabases(async () => {
    const place = await openEmpty();
    await migrate(place.database, { schema: place.schema });
    return place;
  });
  return { ...about, open, openEmpty };
}

/** The engine that every machine has. */
export const EMBEDDED_ENGINE: TestEngine = engine(
  { name: 'pglite', databaseUrl: undefined, skipped: null },
  openEmbedded,
);

/** The server; the tests that need one are skipped where none answers. */
export const POSTGRES_ENGINE: TestEngine = engine(
  { name: 'postgres', databaseUrl: POSTGRES_URL, skipped: whyNoPostgres },
  openSchema,
);

/** The engine of this run: embedded, or PostgreSQL in the `postgres` project of `vitest.config.ts`. */
export const TEST_ENGINES: readonly TestEngine[] = [
  process.env['TEST_ENGINE'] === 'postgres' ? POSTGRES_ENGINE : EMBEDDED_ENGINE,
];

/** The engine of this run, if it answers. */
export const REACHABLE_ENGINES: readonly TestEngine[] = TEST_ENGINES.filter(
  ({ skipped }) => skipped === null,
);

/** A migration for tests. */
export function testMigration(name: string, ...statements: readonly string[]): Migration {
  return { name, checksum: statements.join(';'), statements };
}
