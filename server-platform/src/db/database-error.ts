/**
 * Why a statement or the database as a whole failed.
 *
 * - `unavailable`: no response from the database, or it is read-only; a write may or may not have happened. Try again
 *   later.
 * - `overloaded`: too much is waiting to be written, or the disk is full; nothing of this request was written.
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

/** Further fields of a {@link DatabaseError}. They contain no parameters or row values. */
export type DatabaseErrorDetails = {
  readonly sqlState?: string | undefined;
  readonly constraint?: string | undefined;
};

/** The one error the storage layer throws. Its message never holds parameter values, rows or connection secrets. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError';
  readonly code: DatabaseErrorCode;
  readonly retryable: boolean;
  /** SQLSTATE (five characters), if PostgreSQL sent one. */
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

// Error classes whose messages name identifiers, the server or the connection, never parameter values. Messages of
// other classes may quote a value ("invalid input syntax for type uuid: …"), so only their SQLSTATE is kept.
const SPEAKING_CLASSES = new Set(['08', '28', '3D', '3F', '42', '53', '55', '57', '58', 'XX']);

/** Converts an engine's error to a {@link DatabaseError} without quoted values. */
export function toDatabaseError(cause: unknown): DatabaseError {
  if (isDatabaseError(cause)) return cause;
  const sqlState = textField(cause, 'code');
  if (sqlState === null || !/^[0-9A-Z]{5}$/.test(sqlState)) {
    // No SQLSTATE: the connection, the socket or the worker failed before PostgreSQL could answer.
    return new DatabaseError('unavailable', explainNoAnswer(cause, sqlState));
  }
  if (sqlState === READ_ONLY) return readOnlyError();
  const constraint = textField(cause, 'constraint') ?? undefined;
  const group = sqlState.slice(0, 2);
  const speaks = SPEAKING_CLASSES.has(group) && cause instanceof Error ? `: ${cause.message}` : '';
  const where = constraint === undefined ? '' : ` by ${constraint}`;
  const message = `The database refused the statement${where} (SQLSTATE ${sqlState})${speaks}`;
  return new DatabaseError(codeOf(group, textField(cause, 'severity')), message, { sqlState, constraint });
}

// Error for a write on a standby, or where `default_transaction_read_only` is on.
const READ_ONLY = '25006';

/** The error of a read-only database: its connections are of no use. */
export function readOnlyError(): DatabaseError {
  return new DatabaseError(
    'unavailable',
    `The database accepts no writes (SQLSTATE ${READ_ONLY}): it is a standby, or default_transaction_read_only is on. Connect the platform to the primary.`,
    { sqlState: READ_ONLY },
  );
}

/** Whether the connection is unusable after this failure of a statement. */
export function endsConnection({ code, sqlState }: DatabaseError): boolean {
  // A cancelled statement leaves its connection usable.
  return code === 'unavailable' && sqlState !== '57014';
}

/** Whether all connections to the server are unusable after this failure. */
export function endsAllConnections({ sqlState }: DatabaseError): boolean {
  return sqlState === READ_ONLY;
}

function explainNoAnswer(cause: unknown, code: string | null): string {
  const text = cause instanceof Error ? cause.message : '';
  if (text.includes('does not support SSL'))
    return 'The database server does not support TLS, but its address requires it. Enable TLS at the server, or write sslmode=disable.';
  if (text.startsWith('SASL'))
    return 'The database server asks for a password, but its address contains none that it accepts. Write user:password@ before the host.';
  if (code !== null && /CERT|SIGNATURE|ALTNAME|HOSTNAME/.test(code))
    return `The certificate of the database server was not accepted (${code}). Name the authority that signed it with sslrootcert, or correct the certificate.`;
  return `The database does not answer${code === null ? '' : ` (${code})`}. Check that it runs and can be reached.`;
}

function codeOf(group: string, severity: string | null): DatabaseErrorCode {
  // Severities above ERROR have ended the connection.
  const isFatal = severity === 'FATAL' || severity === 'PANIC';
  if (isFatal && group !== '28' && group !== '3D' && group !== '42') return 'unavailable';
  if (group === '23' || group === '40') return 'conflict';
  // Disk or memory full: only this statement was rolled back.
  if (group === '53' && severity === 'ERROR') return 'overloaded';
  if (group === '08' || group === '53' || group === '57' || group === '58') return 'unavailable';
  return 'rejected';
}

function textField(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const field: unknown = Reflect.get(value, key);
  return typeof field === 'string' ? field : null;
}
