import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { CopiedRows } from './copied-rows.ts';
import { DatabaseError, toDatabaseError } from './database-error.ts';
import { arePlansOld } from './plan-age.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import { readSafeInteger } from './read-safe-integer.ts';
import type { Database, QueryOptions, Sql, SqlValue } from './sql.ts';
import { WatchedClient, watchStatement } from './statement-watch.ts';

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
// A connection that nobody uses and whose other end is gone is found within 20 s: the system asks ten times, a second apart.
const KEEP_ALIVE_MS = 10_000;

/** Opens a pool on a PostgreSQL server. Connects lazily: call `ping` to know that it answers. */
export function openPostgres(options: PostgresOptions): Database {
  const { databaseUrl } = options;
  const sockets = new Set<Socket>();
  let isBrokenOff = false;
  const pool = new pg.Pool({
    Client: WatchedClient,
    connectionString: databaseUrl,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      if (isBrokenOff) setImmediate(() => socket.destroy());
      return socket;
    },
    max: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: typeParser },
    ...(options.schema !== undefined && { options: `-c search_path=${quoteIdentifier(options.schema)}` }),
  });
  // Without a listener an idle connection that the server drops would end the process.
  pool.on('error', (error) => options.onConnectionLost?.(toDatabaseError(error)));
  let closing: Promise<void> | null = null;

  const running = new Set<Promise<unknown>>();

  const use = async <T>(body: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    if (closing !== null) throw new DatabaseError('closed', 'The database was closed.');
    const work = useClient(body);
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };

  const useClient = async <T>(body: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw toDatabaseError(error);
    });
    let broken: Error | undefined;
    // The pool listens only to idle connections; without a listener a lost one would end the process. The statement
    // under way fails by itself.
    const note = (error: Error): void => {
      broken = error;
    };
    client.on('error', note);
    try {
      return await body(client);
    } finally {
      client.off('error', note);
      client.release(broken);
    }
  };

  const watched = async <T>(client: pg.PoolClient, statement: () => Promise<T>): Promise<T> => {
    const callOff = watchStatement(client, databaseUrl);
    try {
      return await statement();
    } catch (error) {
      throw toDatabaseError(error);
    } finally {
      callOff();
    }
  };

  const runOn =
    (client: pg.PoolClient): Sql['query'] =>
    (text, params = [], how) =>
      watched(client, () => run(client, text, params, how));

  const database: Database = {
    engine: 'postgres',
    isDurable: true,
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async query<Row extends object>(
      text: string,
      params: readonly SqlValue[] = [],
      how?: QueryOptions,
    ): Promise<readonly Row[]> {
      return await use((client) => runOn(client)<Row>(text, params, how));
    },
    async tx(body) {
      return await use(async (client) => {
        const run = runOn(client);
        await run(BEGIN);
        try {
          const result = await body(inTransaction(run, 1));
          await run('COMMIT');
          return result;
        } catch (error) {
          // When not even that works the connection is lost, and the transaction with it: the first error says more.
          await run('ROLLBACK').catch(() => undefined);
          throw error;
        }
      });
    },
    async readBytes(...read) {
      await use((client) => watched(client, () => readBytes(client, ...read)));
    },
    async ping() {
      await database.query('SELECT 1');
    },
    async close(options = {}) {
      // The pool drops a connection that is still being made, with the statement that waits for it.
      closing ??= Promise.allSettled(running).then(() => pool.end());
      const { timeoutMs } = options;
      const breakOff = (): void => {
        isBrokenOff = true;
        // Statements under way fail, and so do those that wait for a connection.
        for (const socket of sockets) socket.destroy();
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(breakOff, timeoutMs);
      try {
        await closing;
      } finally {
        clearTimeout(timer);
      }
    },
  };
  return database;
}

// A process that stands still in a transaction holds what it has locked: the server ends it after as long as the lease of its
// node lasts. With BEGIN in one message, so that it costs no time, and for the transaction alone, so that connections which
// a pooler lends to others carry nothing along.
const STILL_MS = 10_000;
/** For a transaction that waits for a file or another database: it may stand still. */
export const MAY_STAND_STILL = 'SET LOCAL idle_in_transaction_session_timeout = 0';
const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${STILL_MS}`;

const uses = new WeakMap<pg.PoolClient, number>();

async function planAnew(client: pg.PoolClient): Promise<void> {
  const count = (uses.get(client) ?? 0) + 1;
  uses.set(client, count);
  if (arePlansOld(count)) await client.query('DISCARD PLANS');
}

const statementNames = new Map<string, string>();

function statementName(text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  const name = `natter_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  statementNames.set(text, name);
  return name;
}

function inTransaction(run: Sql['query'], depth: number): Sql {
  return {
    query: run,
    async tx(body) {
      const savepoint = `level_${depth}`;
      await run(`SAVEPOINT ${savepoint}`);
      try {
        const result = await body(inTransaction(run, depth + 1));
        await run(`RELEASE SAVEPOINT ${savepoint}`);
        return result;
      } catch (error) {
        await run(`ROLLBACK TO SAVEPOINT ${savepoint}`);
        throw error;
      }
    },
  };
}

async function run<Row extends object>(
  client: pg.PoolClient,
  text: string,
  params: readonly SqlValue[],
  how?: QueryOptions,
): Promise<readonly Row[]> {
  const isKept = how?.prepare === true;
  if (isKept) await planAnew(client);
  const values = [...params];
  const statement = { text, values, ...(isKept && { name: statementName(text) }) };
  if (how?.rows !== 'arrays') return (await client.query<Row>(statement)).rows;
  const { rows } = await client.query({ ...statement, rowMode: 'array' });
  // The caller asked for arrays, so that is what its `Row` is.
  return rows as unknown as readonly Row[];
}

async function readBytes(
  client: pg.PoolClient,
  ...[text, params, onRow]: Parameters<Database['readBytes']>
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = (error: Error | undefined): void => (error ? reject(error) : resolve());
    client.query(new CopiedRows(text, params, { row: onRow, end }));
  });
}

const INT8_OID = 20;
const INT8_ARRAY_OID: number = 1016;

const readInt8Array: (value: string) => unknown = (value) => {
  const texts: unknown = pg.types.getTypeParser(INT8_ARRAY_OID, 'text')(value);
  return Array.isArray(texts) ? texts.map((text) => (text === null ? null : readSafeInteger(text))) : texts;
};

function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8_OID) return readSafeInteger;
  if (oid === INT8_ARRAY_OID) return readInt8Array;
  return pg.types.getTypeParser(oid, format === 'binary' ? 'text' : format);
}
