/**
 * What a statement may be given for `$1`, `$2`, …
 *
 * JSON goes in as text (`JSON.stringify`) with a cast in the statement (`$1::json`): the two engines disagree on
 * what a JavaScript array or object means. Arrays are PostgreSQL arrays (`$1::uuid[]`).
 */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null)[];

/** How to run a statement. */
export type QueryOptions = {
  /**
   * Keeps the parsed statement for the next time. For the few hot statements, whose text never changes: each one stays
   * in memory, on every connection.
   */
  readonly prepare?: boolean | undefined;
  /** `arrays`: each row is the list of its values in the order of the columns. Default: objects by column name. */
  readonly rows?: 'objects' | 'arrays' | undefined;
};

/**
 * Runs statements of PostgreSQL's dialect, on either engine.
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
   * Runs `run` in one transaction: committed when its promise resolves, rolled back when it rejects. Statements
   * must go through the `Sql` that is handed in. A transaction within a transaction is a savepoint.
   */
  tx<T>(run: (sql: Sql) => Promise<T>): Promise<T>;
}

/** An open database. Get one from `openDatabase`. */
export interface Database extends Sql {
  readonly engine: 'pglite' | 'postgres';
  /** Connections by state, now. Left out: the database has one, and always has it. */
  readonly connections?: () => { readonly busy: number; readonly idle: number; readonly waiting: number };
  /** Whether a resolved write survives the loss of power. `false` only for in-memory and explicitly relaxed ones. */
  readonly isDurable: boolean;
  /** Resolves when the database answers a statement; rejects with a {@link DatabaseError} when it does not. */
  ping(): Promise<void>;
  /**
   * Lets running statements finish, refuses new ones, frees the folder or the connections. May be called twice.
   *
   * `timeoutMs` is for a shutdown: statements that a server has not answered after that time fail, and connections
   * that it does not close are broken off. The embedded database always finishes.
   */
  close(options?: { readonly timeoutMs?: number }): Promise<void>;
}
