import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../kit/package-files.ts';
import { DatabaseError } from './database-error.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import { retryAfterDeadlock } from './retry-after-deadlock.ts';
import type { Database, Sql } from './sql.ts';

/** A file of `migrations/`, split into its statements. */
export type Migration = {
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
};

/** Which migrations to apply, and where. */
export type MigrateOptions = {
  /** Schema to create and fill. Must be the one the database was opened with. Default: from the search path. */
  readonly schema?: string | undefined;
  /** Default: the files of `migrations/`. */
  readonly migrations?: readonly Migration[] | undefined;
  readonly nowMs?: (() => number) | undefined;
};

const FOLDER = pathToFileURL(packageFile('migrations/'));

// Any constant that no other program uses for an advisory lock in the same database.
const LOCK_KEY = 7_245_113_009;

/**
 * Migrates the tables and resolves with the names of the applied files.
 *
 * All missing files are applied in one transaction, so the database is afterwards at the newest version or unchanged.
 * Processes that start concurrently on one server wait for each other. After a deadlock with a writing node, the
 * migration starts over. A file changed after it was applied, and a database newer than this program, are errors.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<readonly string[]> {
  const known = options.migrations ?? (await readMigrations());
  return await retryAfterDeadlock(() => database.tx((sql) => applyMissing(sql, known, options)));
}

async function applyMissing(
  sql: Sql,
  known: readonly Migration[],
  options: MigrateOptions,
): Promise<readonly string[]> {
  // Held until the transaction ends; the second process then finds nothing to do.
  await sql.query('SELECT pg_advisory_xact_lock($1::bigint)', [LOCK_KEY]);
  if (options.schema !== undefined) {
    await sql.query(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(options.schema)}`);
  }
  await sql.query(
    'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at bigint NOT NULL)',
  );
  const missing = await selectMissing(sql, known);
  for (const migration of missing) {
    for (const statement of migration.statements) await sql.query(statement);
    await sql.query('INSERT INTO migrations (name, checksum, applied_at) VALUES ($1, $2, $3)', [
      migration.name,
      migration.checksum,
      (options.nowMs ?? Date.now)(),
    ]);
  }
  return missing.map((migration) => migration.name);
}

/** Lists the migrations that a database lacks; null for a database without tables. Fails as `migrate` does. */
export async function listMissingMigrations(
  database: Database,
  migrations?: readonly Migration[],
): Promise<readonly string[] | null> {
  const [found] = await database.query<{ there: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
  );
  if (found?.there !== true) return null;
  return (await selectMissing(database, migrations ?? (await readMigrations()))).map(({ name }) => name);
}

async function selectMissing(sql: Sql, known: readonly Migration[]): Promise<readonly Migration[]> {
  const rows = await sql.query<{ name: string; checksum: string }>('SELECT name, checksum FROM migrations');
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  for (const migration of known) {
    const checksum = applied.get(migration.name);
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new DatabaseError(
        'rejected',
        `Migration ${migration.name} was changed after it had been applied. Restore the file; put changes in a new one.`,
      );
    }
    applied.delete(migration.name);
  }
  const [newer] = [...applied.keys()].sort();
  if (newer !== undefined) {
    throw new DatabaseError(
      'rejected',
      `The database holds migration ${newer}, which this version does not know. Start the newer version of the platform.`,
    );
  }
  const done = new Set(rows.map((row) => row.name));
  return known.filter((migration) => !done.has(migration.name));
}

/** Reads the migration files of a folder in the order of their names. */
export async function readMigrations(folder: URL = FOLDER): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return await Promise.all(
    names.map(async (name) => parseMigration(name, await readFile(new URL(name, folder), 'utf8'))),
  );
}

/** Splits the text of a migration file at its breakpoints. */
export function parseMigration(name: string, text: string): Migration {
  // drizzle-kit writes foreign keys against "public"; the tables are in the schema of the search path.
  const statements = text.replaceAll('"public".', '').split('--> statement-breakpoint');
  return {
    name,
    checksum: createHash('sha256').update(text).digest('hex'),
    statements: statements.map((statement) => statement.trim()).filter((statement) => statement !== ''),
  };
}
