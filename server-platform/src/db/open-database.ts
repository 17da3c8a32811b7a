import { DatabaseError, isDatabaseError } from './database-error.ts';
import { openPglite } from './pglite/open-pglite.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import type { Database } from './sql.ts';

/** Options of {@link openDatabase}. */
export type OpenDatabaseOptions = {
  /** A PostgreSQL server. If given, `dataDir` is not used. */
  readonly databaseUrl?: string | undefined;
  /** Name of the setting with `databaseUrl`, for error messages. Default `DATABASE_URL`. */
  readonly urlField?: string | undefined;
  /** Folder of the embedded database, created if missing; `'memory'` stores nothing on disk. */
  readonly dataDir?: string | undefined;
  /**
   * Embedded database only: whether a write resolves only after it was flushed to disk. Default true; `false` may lose
   * the last writes when the machine (not just the process) fails.
   */
  readonly durable?: boolean | undefined;
  /** PostgreSQL only: schema to work in. Default `public`. */
  readonly schema?: string | undefined;
  /** PostgreSQL only: maximum number of connections. Default 10. */
  readonly maxConnections?: number | undefined;
  /** Called with one line per step of a slow start (the first start of the embedded database takes seconds). */
  readonly onProgress?: ((line: string) => void) | undefined;
  /** PostgreSQL only: called when an unused connection breaks. The pool replaces it automatically. */
  readonly onConnectionLost?: ((error: DatabaseError) => void) | undefined;
};

/**
 * Opens PostgreSQL if `databaseUrl` is given, otherwise the embedded database in `dataDir`, and checks that it
 * responds. `migrate` creates the tables.
 *
 * Fails with a `DatabaseError`: `unavailable` (server), `locked` (folder in use by another process) or `not_durable`
 * (the folder cannot be flushed to disk).
 *
 * @example
 * const database = await openDatabase({ dataDir: './data' });
 * await migrate(database);
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDir } = options;
  if (databaseUrl !== undefined && databaseUrl !== '') {
    const database = openPostgres({ ...options, databaseUrl });
    try {
      await database.ping();
    } catch (error) {
      await database.close();
      throw isDatabaseError(error) ? withField(error, options.urlField ?? 'DATABASE_URL') : error;
    }
    return database;
  }
  if (dataDir === undefined || dataDir === '') {
    throw new TypeError("openDatabase needs either databaseUrl or dataDir (dataDir: 'memory' keeps nothing)");
  }
  return await openPglite({ dataDir, durable: options.durable ?? true, onProgress: options.onProgress });
}

function withField({ code, message, sqlState }: DatabaseError, field: string): DatabaseError {
  return new DatabaseError(code, `${field}: ${message}`, { sqlState: sqlState ?? undefined });
}
