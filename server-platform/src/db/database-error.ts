/**
 * Why a statement or the database as a whole failed.
 *
 * - `unavailable`: no answer from the database; a write may or may not have happened. Try again later.
 * - `overloaded`: too much is waiting to be written, or there is no room for more; nothing of this request was written.
 * - `conflict`: a unique or foreign key, or a transaction that lost to another.
 * - `rejected`: the database refused the statement.
 * - `locked`: the data folder is in use by another process.
 * - `not_durable`: the folder cannot be flushed to disk.
 * - `closed`: `close` was called.
 */
export type DatabaseErrorCode =
  | 'unavailable'
  | 'overloaded'
  | 'conflict'
  | 'rejected'
  | 'locked'
  | 'not_durable'
  | 'closed';

/** Extra facts of a {@link DatabaseError}. Nothing in it comes from a parameter or a row. */
export type DatabaseErrorDetails = {
  readonly sqlState?: string | undefined;
  readonly constraint?: string | undefined;
};

/** The one error the storage layer throws. Its message never holds parameter values, rows or connection secrets. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError';
  readonly code: DatabaseErrorCode;
  readonly retryable: boolean;
  /** Five characters of SQLSTATE, when PostgreSQL gave one. */
  readonly sqlState: string | null;
  /** Name of the violated constraint, for `conflict`. */
  readonly constraint: string | null;

  constructor(code: DatabaseErrorCode, message: string, details: DatabaseErrorDetails = {}) {
    super(message);
    this.code = code;
    this.retryable = code === 'unavailable' || code === 'overloaded' || code === 'conflict';
    this.sqlState = details.sqlState ?? null;
    this.constraint = details.constraint ?? null;
  }
}

/** Whether something thrown is a {@link DatabaseError}, across copies of this module. */
export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && error.name === 'DatabaseError' && 'code' in error && 'sqlState' in error;
}

// Classes whose message speaks of identifiers, the server or the connection, never of parameter values. The text of
// any other class may quote a value ("invalid input syntax for type uuid: …"), so only its SQLSTATE is passed on.
const SPEAKING_CLASSES = new Set(['08', '28', '3D', '3F', '42', '53', '55', '57', '58', 'XX']);

/** Turns what an engine threw into a {@link DatabaseError} without the values it may quote. */
export function toDatabaseError(cause: unknown): DatabaseError {
  if (isDatabaseError(cause)) return cause;
  const sqlState = textField(cause, 'code');
  if (sqlState === null || !/^[0-9A-Z]{5}$/.test(sqlState)) {
    // No SQLSTATE: the connection, the socket or the worker failed before PostgreSQL could answer.
    return new DatabaseError(
      'unavailable',
      `The database does not answer${sqlState === null ? '' : ` (${sqlState})`}. Check that it runs and can be reached.`,
    );
  }
  const constraint = textField(cause, 'constraint') ?? undefined;
  const group = sqlState.slice(0, 2);
  const speaks = SPEAKING_CLASSES.has(group) && cause instanceof Error ? `: ${cause.message}` : '';
  const where = constraint === undefined ? '' : ` by ${constraint}`;
  const message = `The database refused the statement${where} (SQLSTATE ${sqlState})${speaks}`;
  return new DatabaseError(codeOf(group, textField(cause, 'severity')), message, { sqlState, constraint });
}

function codeOf(group: string, severity: string | null): DatabaseErrorCode {
  if (group === '23' || group === '40') return 'conflict';
  // Disk or memory full: the statement was undone, and that is all. Anything worse than ERROR takes the connection with
  // it, perhaps in the middle of a commit.
  if (group === '53' && severity === 'ERROR') return 'overloaded';
  if (group === '08' || group === '53' || group === '57' || group === '58') return 'unavailable';
  return 'rejected';
}

function textField(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const field: unknown = Reflect.get(value, key);
  return typeof field === 'string' ? field : null;
}
