import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openDatabase } from '../../db/index.ts';

/** A database that a test may fill, and what removes it again. */
export interface TestPlace {
  readonly database: Database;
  /** What `openDatabase` needs to open the same place again, in another process too. */
  readonly options: { readonly databaseUrl: string; readonly schema: string } | { readonly dataDir: string };
  /** Closes the database and removes what was in it. */
  close(): Promise<void>;
}

/** A storage engine the tests run on. */
export interface TestEngine {
  readonly name: 'pglite' | 'postgres';
  /** An empty, migrated database. `isKept`: it survives closing, until the place is closed. */
  open(options?: { readonly isKept?: boolean }): Promise<TestPlace>;
}

const pglite: TestEngine = {
  name: 'pglite',
  async open({ isKept = false } = {}) {
    const folder = isKept ? await mkdtemp(join(tmpdir(), 'natter-messaging-')) : null;
    const options = { dataDir: folder ?? 'memory' };
    const database = await openDatabase(options);
    await migrate(database);
    return {
      database,
      options,
      async close() {
        await database.close();
        if (folder !== null) await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

function postgres(databaseUrl: string): TestEngine {
  return {
    name: 'postgres',
    async open() {
      const schema = `natter_test_${randomUUID().replaceAll('-', '')}`;
      const options = { databaseUrl, schema };
      const database = await openDatabase(options);
      await migrate(database, { schema });
      return {
        database,
        options,
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

/** The engines of this machine: the embedded one always, a PostgreSQL server when `TEST_DATABASE_URL` or a local one answers. */
export async function findTestEngines(): Promise<readonly TestEngine[]> {
  const candidates = [process.env['TEST_DATABASE_URL'], localUrl()];
  for (const databaseUrl of candidates) {
    if (databaseUrl === undefined) continue;
    try {
      const database = await openDatabase({ databaseUrl });
      await database.close();
      return [pglite, postgres(databaseUrl)];
    } catch {
      // Not reachable: the tests run on the embedded engine alone.
    }
  }
  return [pglite];
}

function localUrl(): string | undefined {
  const user = process.env['PGUSER'] ?? process.env['USER'] ?? process.env['LOGNAME'] ?? 'root';
  return process.platform === 'win32'
    ? undefined
    : `postgresql://${encodeURIComponent(user)}@localhost/test?host=/var/run/postgresql`;
}
