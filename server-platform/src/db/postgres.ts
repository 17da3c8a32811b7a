import pg from 'pg';
import { DatabaseError, toDatabaseError } from './database-error.ts';
import { readSafeInteger } from './read-safe-integer.ts';
import type { Database, Sql, SqlValue } from './sql.ts';

/** How to reach a PostgreSQL server. */
export type PostgresOptions = {
  /** `postgres://user:password@host:port/database`, or with `postgresql:`. */
  readonly databaseUrl: string;
  /** Schema every unqualified name resolves in. It is created by `migrate`. Default: `public`. */
  readonly schema?: string | undefined;
  /** Most connections held open. Default 10. */
  readonly maxConnections?: number | undefined;
  /** Called when a pooled connection breaks while nobody uses it. The pool replaces it by itself. */
  readonly onConnectionLost?: ((error: DatabaseError) => void) | undefined;
};

const DEFAULT_MAX_CONNECTIONS = 10;
// A server that does not answer a connect in this time is reported as unavailable rather than waited for.
const CONNECT_TIMEOUT_MS = 10_000;

/** Opens a pool on a PostgreSQL server. Connects lazily: call `ping` to know that it answers. */
export function openPostgres(options: PostgresOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'natter-platform',
    types: { getTypeParser: typeParser },
    ...(options.schema === undefined ? {} : { options: `-c search_path=${quoteIdentifier(options.schema)}` }),
  });
  // Without a listener an idle connection that the server drops would end the process.
  pool.on('error', (error) => options.onConnectionLost?.(toDatabaseError(error)));
  let closing: Promise<void> | null = null;

  const connect = async (): Promise<pg.PoolClient> => {
    if (closing !== null) throw new DatabaseError('closed', 'The database was closed.');
    try {
      return await pool.connect();
    } catch (error) {
      throw toDatabaseError(error);
    }
  };

  const database: Database = {
    engine: 'postgres',
    isDurable: true,
    async query<Row extends object>(text: string, params: readonly SqlValue[] = []): Promise<readonly Row[]> {
      if (closing !== null) throw new DatabaseError('closed', 'The database was closed.');
      return await run<Row>(pool, text, params);
    },
    async tx(body) {
      const client = await connect();
      let isBroken = false;
      try {
        await run(client, 'BEGIN', []);
        const result = await body(onClient(client, 1));
        await run(client, 'COMMIT', []);
        return result;
      } catch (error) {
        try {
          await run(client, 'ROLLBACK', []);
        } catch {
          // The connection is gone, and the transaction with it: the error worth reporting is the first one.
          isBroken = true;
        }
        throw error;
      } finally {
        client.release(isBroken);
      }
    },
    async ping() {
      await database.query('SELECT 1');
    },
    async close() {
      closing ??= pool.end();
      await closing;
    },
  };
  return database;
}

function onClient(client: pg.PoolClient, depth: number): Sql {
  return {
    query: (text, params = []) => run(client, text, params),
    async tx(body) {
      const savepoint = `level_${depth}`;
      await run(client, `SAVEPOINT ${savepoint}`, []);
      try {
        const result = await body(onClient(client, depth + 1));
        await run(client, `RELEASE SAVEPOINT ${savepoint}`, []);
        return result;
      } catch (error) {
        await run(client, `ROLLBACK TO SAVEPOINT ${savepoint}`, []);
        throw error;
      }
    },
  };
}

async function run<Row extends object>(
  client: pg.Pool | pg.PoolClient,
  text: string,
  params: readonly SqlValue[],
): Promise<readonly Row[]> {
  try {
    const result = await client.query<Row>(text, [...params]);
    return result.rows;
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/** Quotes a name for use in a statement. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const INT8_OID = 20;

function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === INT8_OID
    ? readSafeInteger
    : pg.types.getTypeParser(oid, format === 'binary' ? 'text' : format);
}
