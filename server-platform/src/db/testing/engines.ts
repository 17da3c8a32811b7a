import { randomUUID } from 'node:crypto';
import { type Migration, migrate } from '../migrate.ts';
import { openDatabase } from '../open-database.ts';
import type { Database } from '../sql.ts';

/** A storage engine that tests run on. */
export type TestEngine = {
  readonly name: 'pglite' | 'postgres';
  /** How to reach the server; undefined for the embedded engine. */
  readonly databaseUrl: string | undefined;
  /** Why its tests are skipped, or null. */
  readonly skipped: string | null;
  /** Opens an empty database, with the platform's tables unless `isEmpty`. `close` removes what was in it. */
  readonly open: (options?: { readonly isEmpty?: boolean }) => Promise<TestDatabase>;
};

/** An open test database. */
export type TestDatabase = {
  readonly database: Database;
  /** Schema to migrate, on PostgreSQL. */
  readonly schema: string | undefined;
  /** Opens the same place again: another node. PostgreSQL only. */
  readonly openAgain: () => Promise<Database>;
  readonly close: () => Promise<void>;
};

/** Where the tests look for a PostgreSQL server. */
const POSTGRES_URL: string = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';

/** The engine that every machine has. */
export const EMBEDDED_ENGINE: TestEngine = {
  name: 'pglite',
  databaseUrl: undefined,
  skipped: null,
  async open({ isEmpty = false } = {}) {
    const database = await openDatabase({ dataDir: 'memory' });
    if (!isEmpty) await migrate(database);
    const openAgain = (): Promise<Database> => Promise.reject(new Error('one process at a time'));
    return { database, schema: undefined, openAgain, close: () => database.close() };
  },
};

function server(skipped: string | null): TestEngine {
  return {
    name: 'postgres',
    databaseUrl: POSTGRES_URL,
    skipped,
    async open({ isEmpty = false } = {}) {
      const schema = `test_${randomUUID().replaceAll('-', '')}`;
      const openAgain = (): Promise<Database> => openDatabase({ databaseUrl: POSTGRES_URL, schema });
      const database = await openAgain();
      await (isEmpty ? database.query(`CREATE SCHEMA ${schema}`) : migrate(database, { schema }));
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
    },
  };
}

/** Both engines; the one that cannot be reached says why it is skipped. */
export const TEST_ENGINES: readonly TestEngine[] = [EMBEDDED_ENGINE, server(await whyUnreachable())];

/** The engines of this machine. */
export const REACHABLE_ENGINES: readonly TestEngine[] = TEST_ENGINES.filter(
  ({ skipped }) => skipped === null,
);

async function whyUnreachable(): Promise<string | null> {
  try {
    await (await openDatabase({ databaseUrl: POSTGRES_URL })).close();
    return null;
  } catch {
    return 'no PostgreSQL server answers; start one or set DATABASE_URL_TEST';
  }
}

/** A migration for tests. */
export function testMigration(name: string, ...statements: readonly string[]): Migration {
  return { name, checksum: statements.join(';'), statements };
}
