/**
 * Parameter types for `$1`, `$2`, …
 *
 * Pass JSON as text (`JSON.stringify`) with a cast in the statement (`$1::json`), because the two engines treat
 * JavaScript arrays and objects differently. Arrays are PostgreSQL arrays (`$1::uuid[]`).
 */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null)[];

/** Options of a statement. */
export type QueryOptions = {
  /**
   * Keeps the statement prepared. Only for the few hot statements with constant text, because each stays in memory on
   * every connection.
   */
  readonly prepare?: boolean | undefined;
  /** `arrays`: each row is the list of its values in the order of the columns. Default: objects by column name. */
  readonly rows?: 'objects' | 'arrays' | undefined;
};

/**
 * Runs PostgreSQL statements on either engine.
 *
 * Rows come back as objects by column name. `bigint` and counts are JavaScript numbers (a value beyond
 * `Number.MAX_SAFE_INTEGER` is an error, never a rounded number), `json` and `jsonb` are parsed. Points in time are
 * stored as `bigint` milliseconds since 1970.
 *
 * Fails with a {@link DatabaseError}, which never holds parameter values.
 */
export interface Sql {
  /** Runs one statement and resolves with its rows. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    params?: readonly SqlValue[],
    options?: QueryOptions,
  ): Promise<readonly Row[]>;
  /**
   * Runs `run` in one transaction: committed when its promise resolves, rolled back when it rejects. Statements must
   * use the passed `Sql`. A transaction within a transaction is a savepoint.
   */
  tx<T>(run: (sql: Sql) => Promise<T>): Promise<T>;
}

/** An open database. Get one from `openDatabase`. */
export interface Database extends Sql {
  readonly engine: 'pglite' | 'postgres';
  /** Current connections by state. Absent: the database has exactly one. */
  readonly connections?: () => { readonly busy: number; readonly idle: number; readonly waiting: number };
  /** Whether a resolved write survives a power failure. `false` only in memory and when explicitly relaxed. */
  readonly isDurable: boolean;
  /** Resolves when the database answers a statement; otherwise rejects with a {@link DatabaseError}. */
  ping(): Promise<void>;
  /**
   * Waits for running statements, refuses new ones, and frees the folder or the connections. Safe to call repeatedly.
   *
   * `timeoutMs` is for a shutdown: statements unanswered after that time fail, and connections that the server does not
   * close are destroyed. The embedded database always completes.
   */
  close(options?: { readonly timeoutMs?: number }): Promise<void>;
}
