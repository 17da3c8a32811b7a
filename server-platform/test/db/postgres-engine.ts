import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/db/open-database.ts';
import type { Database } from '../../src/db/sql.ts';
import { createTestEngine, type EmptyTestDatabase, type TestEngine } from './engines.ts';
import { POSTGRES_URL, whyNoPostgres } from './postgres-server.ts';

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

/** The server; tests on it are skipped where none answers. */
export const POSTGRES_ENGINE: TestEngine = createTestEngine(
  { name: 'postgres', databaseUrl: POSTGRES_URL, skipped: whyNoPostgres },
  openSchema,
);
