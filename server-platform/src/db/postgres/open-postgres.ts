import { createHash } from 'node:crypto';
import pg from 'pg';
import { arePlansOld } from '../are-plans-old.ts';
import { DatabaseError, endsAllConnections, endsConnection, toDatabaseError } from '../database-error.ts';
import { quoteIdentifier } from '../quote-identifier.ts';
import type { Database, QueryOptions, Sql, SqlValue } from '../sql.ts';
import { getTypeParser } from './get-type-parser.ts';
import { PoolSockets } from './pool-sockets.ts';
import { openTargets, type PostgresTargets, refuseReadOnly } from './postgres-targets.ts';
import { WatchedClient, watchStatement } from './statement-watch.ts';

/** How to reach a PostgreSQL server. */
export type PostgresOptions = {
  /** `postgres://user:password@host:port/database`, or with `postgresql:`; several hosts are separated by commas. */
  readonly databaseUrl: string;
  /** Schema every unqualified name resolves in. It is created by `migrate`. Default: `public`. */
  readonly schema?: string | undefined;
  /** Maximum number of connections. Default 10. */
  readonly maxConnections?: number | undefined;
  /** Called when an idle pooled connection breaks. The pool replaces it automatically. */
  readonly onConnectionLost?: ((error: DatabaseError) => void) | undefined;
};

const DEFAULT_MAX_CONNECTIONS = 10;
// A server that does not accept a connection within this time counts as unavailable.
const CONNECT_TIMEOUT_MS = 10_000;
// Detects a dead idle connection within 20 s: the system sends ten probes, a second apart.
const KEEP_ALIVE_MS = 10_000;

/** Opens a pool on a PostgreSQL server. Connects lazily: call `ping` to check that it responds. */
export function openPostgres(options: PostgresOptions): Database {
  return new PostgresDatabase(options);
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres';
  readonly isDurable = true;
  readonly #targets: PostgresTargets;
  readonly #sockets = new PoolSockets();
  readonly #pool: pg.Pool;
  readonly #running = new Set<Promise<unknown>>();
  // Connections that are unusable after a fault.
  readonly #faulty = new WeakSet<pg.ClientBase>();
  // Incremented when one connection reports a read-only server, which makes all earlier connections useless.
  #generation = 0;
  readonly #generations = new WeakMap<pg.ClientBase, number>();
  #closing: Promise<void> | null = null;

  constructor({ databaseUrl, schema, maxConnections, onConnectionLost }: PostgresOptions) {
    const targets = openTargets(databaseUrl);
    this.#targets = targets;
    this.#pool = new pg.Pool({
      Client: class extends PooledClient {
        constructor(config: pg.ClientConfig = {}) {
          super(config, targets);
        }
      },
      stream: () => this.#sockets.create(),
      max: maxConnections ?? DEFAULT_MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      types: { getTypeParser },
      ...(schema !== undefined && { options: `-c search_path=${quoteIdentifier(schema)}` }),
      verify: (client, done) => void this.#verify(client).then(() => done(), done),
    });
    // Without a listener, an idle connection dropped by the server would end the process.
    this.#pool.on('error', (error) => onConnectionLost?.(toDatabaseError(error)));
  }

  connections(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async query<Row extends object>(
    text: string,
    params: readonly SqlValue[] = [],
    how?: QueryOptions,
  ): Promise<readonly Row[]> {
    return await this.#use((client) => this.#queryOn(client)<Row>(text, params, how));
  }

  async tx<T>(body: (sql: Sql) => Promise<T>): Promise<T> {
    return await this.#use(async (client) => {
      const query = this.#queryOn(client);
      await query(BEGIN);
      try {
        const result = await body(inTransaction(query, 1));
        await query('COMMIT');
        return result;
      } catch (error) {
        // If even that fails, the connection is lost with its transaction; the first error is more useful.
        await query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  async ping(): Promise<void> {
    await this.#use((client) => this.#watch(client, () => refuseReadOnly(client)));
  }

  async close({ timeoutMs }: { readonly timeoutMs?: number } = {}): Promise<void> {
    // The pool drops a connection that is being opened, with the statement waiting for it.
    this.#closing ??= Promise.allSettled(this.#running).then(() => this.#pool.end());
    // Running statements fail, and so do those that wait for a connection.
    const breakOff = (): void => this.#sockets.breakOff();
    const timer = timeoutMs === undefined ? undefined : setTimeout(breakOff, timeoutMs);
    try {
      await this.#closing;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Lends a connection to `work`, for which a shutdown waits. */
  async #use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.#closing !== null) throw new DatabaseError('closed', 'The database was closed.');
    const running = this.#lend(work);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #lend<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let broken: Error | undefined;
    // The pool listens to idle connections only; without a listener, a lost one would end the process. The running
    // statement fails anyway.
    const note = (error: Error): void => {
      broken = error;
    };
    client.on('error', note);
    try {
      return await work(client);
    } finally {
      client.off('error', note);
      client.release(broken ?? this.#isSpent(client));
    }
  }

  /** Takes a connection from the pool; a new one may try each target. */
  async #connect(): Promise<pg.PoolClient> {
    for (let attempts = 1; ; ) {
      const target = this.#targets.current;
      try {
        const client = await this.#pool.connect();
        if (!this.#isSpent(client)) return client;
        client.release(true);
      } catch (error) {
        const isLast = attempts >= this.#targets.count || this.#targets.current === target;
        if (isLast) throw toDatabaseError(error);
        attempts += 1;
      }
    }
  }

  /**
   * Checks that a new connection's server is writable: a standby is useless, and the next target may be the primary.
   */
  async #verify(client: pg.PoolClient): Promise<void> {
    this.#generations.set(client, this.#generation);
    try {
      await this.#watch(client, () => refuseReadOnly(client));
    } catch (error) {
      if (client instanceof PooledClient) client.leaveTarget();
      throw error;
    }
  }

  #isSpent(client: pg.PoolClient): boolean {
    return this.#faulty.has(client) || this.#generations.get(client) !== this.#generation;
  }

  #queryOn(client: pg.PoolClient): Sql['query'] {
    return (text, params = [], how) => this.#watch(client, () => run(client, text, params, how));
  }

  async #watch<T>(client: pg.PoolClient, statement: () => Promise<T>): Promise<T> {
    const callOff = client instanceof WatchedClient ? watchStatement(client) : () => {};
    try {
      return await statement();
    } catch (cause) {
      const error = toDatabaseError(cause);
      if (endsConnection(error)) this.#faulty.add(client);
      if (endsAllConnections(error) && this.#generations.get(client) === this.#generation)
        this.#generation += 1;
      throw error;
    } finally {
      callOff();
    }
  }
}

/** A connection to the current target. Switches to the next target when it does not respond. */
class PooledClient extends WatchedClient {
  readonly leaveTarget: () => void;

  constructor(config: pg.ClientConfig, targets: PostgresTargets) {
    const target = targets.current;
    super(config, target);
    this.leaveTarget = () => targets.leave(target);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) return super.connect();
    super.connect((error: Error) => {
      // The library passes `null` on success, which its types omit.
      if (error instanceof Error) this.leaveTarget();
      callback(error);
    });
    return undefined;
  }
}

// Limits how long a hanging process holds its locks in a transaction: the server ends the transaction after the
// duration of a node's lease. Sent in one message with BEGIN, so that it takes no time, and set for this transaction
// only, so that connections shared by a pooler keep no setting.
const STILL_MS = 10_000;
/** For transactions that wait for a file or another database and may be idle. */
export const ALLOW_IDLE_TRANSACTION = 'SET LOCAL idle_in_transaction_session_timeout = 0';
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
  // The caller requested arrays, so `Row` is an array type.
  return rows as unknown as readonly Row[];
}
