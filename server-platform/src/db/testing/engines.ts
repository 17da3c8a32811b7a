import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Migration, migrate } from '../migrate.ts';
import { openDatabase } from '../open-database.ts';
import type { Database } from '../sql.ts';
import { lendDatabases } from './lend-databases.ts';

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

/** Where the tests look for a PostgreSQL server. */
const POSTGRES_URL: string = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';

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

/** Both engines; the one that cannot be reached says why it is skipped. */
export const TEST_ENGINES: readonly TestEngine[] = [
  EMBEDDED_ENGINE,
  engine({ name: 'postgres', databaseUrl: POSTGRES_URL, skipped: await whyUnreachable() }, openSchema),
];

/** The engines of this machine. */
export const REACHABLE_ENGINES: readonly TestEngine[] = TEST_ENGINES.filter(
  ({ skipped }) => skipped === null,
);

// Not by way of the platform's own code: a fault of that would skip the tests that find it.
async function whyUnreachable(): Promise<string | null> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await client.end();
    return null;
  } catch {
    return 'no PostgreSQL server answers; start one or set DATABASE_URL_TEST';
  }
}

/** A migration for tests. */
export function testMigration(name: string, ...statements: readonly string[]): Migration {
  return { name, checksum: statements.join(';'), statements };
}
