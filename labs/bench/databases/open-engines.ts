import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openDatabase } from '../../../server-platform/src/db/index.ts';

const POSTGRES = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';

/** An empty database with the platform's tables; `close` removes it. */
export type Opened = {
  readonly name: string;
  readonly database: Database;
  readonly close: () => Promise<void>;
};

/** The embedded engine in a separate folder. */
export async function openEmbedded(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'natter-bench-'));
  const database = await openDatabase({ dataDir: folder });
  await migrate(database);
  return {
    name: 'pglite (durable)',
    database,
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL in a separate schema; null when no server answers. */
export async function openServer(): Promise<Opened | null> {
  const schema = `bench_${process.pid}`;
  let database: Database;
  try {
    database = await openDatabase({ databaseUrl: POSTGRES, schema });
  } catch {
    return null;
  }
  await migrate(database, { schema });
  return {
    name: 'postgres',
    database,
    async close() {
      await database.query(`DROP SCHEMA ${schema} CASCADE`);
      await database.close();
    },
  };
}
