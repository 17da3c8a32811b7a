import { type Migration, migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import type { Database } from '../../src/db/sql.ts';
import { lendDatabases } from './lend-databases.ts';

/** A storage engine that tests run on. */
export type TestEngine = {
  readonly name: 'pglite' | 'postgres';
  /** How to reach the server; undefined for the embedded engine. */
  readonly databaseUrl: string | undefined;
  /** Why its tests are skipped, or null. */
  readonly skipped: string | null;
  /** Opens a database with the platform's tables and no rows. `close` removes its content. */
  readonly open: () => Promise<TestDatabase>;
  /** Opens a separate database without tables. `close` removes its content. */
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

/** Describes an engine whose databases are lent. */
export function createTestEngine(
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
export const EMBEDDED_ENGINE: TestEngine = createTestEngine(
  { name: 'pglite', databaseUrl: undefined, skipped: null },
  openEmbedded,
);

/** A migration for tests. */
export function testMigration(name: string, ...statements: readonly string[]): Migration {
  return { name, checksum: statements.join(';'), statements };
}
