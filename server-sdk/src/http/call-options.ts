import { NatterError } from '../errors/natter-error.ts';

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with code `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
  /** Overrides `retries` of the client. */
  readonly retries?: number | undefined;
  /** Identifies the call in both sides' logs: 1 to 64 of `A-Z a-z 0-9 . _ -`. Default: random (HTTP-2). */
  readonly correlationId?: string | undefined;
}

/** For calls that support idempotency keys (C-15). */
export interface IdempotentCall {
  /**
   * Ensures that the call runs once within 24 hours: repeated with the same key and arguments it returns the first
   * response, so the client also repeats it after a lost response. 1 to 255 characters of visible ASCII, new for each
   * call, such as `crypto.randomUUID()`.
   */
  readonly idempotencyKey?: string | undefined;
}

/** For calls whose paths name an account and a project. */
export interface ProjectCallOptions extends CallOptions {
  /** Overrides `accountId` of the client. */
  readonly accountId?: string | undefined;
  /** Overrides `projectId` of the client. */
  readonly projectId?: string | undefined;
}

// Longest delay of a timer; a longer one fires immediately.
const MAX_TIMER_MS = 2_147_483_647;

/** @throws NatterError with `code` when the number is not a valid time limit. */
export function checkTimeout(value: number, code: 'INVALID_ARGUMENT' | 'INVALID_CONFIGURATION'): number {
  if (Number.isFinite(value) && value > 0 && value <= MAX_TIMER_MS) return value;
  throw invalid(code, 'timeoutMs', `must be a number of milliseconds between 1 and ${MAX_TIMER_MS}`);
}

/** @throws NatterError with `code` when the number is not a valid number of retries. */
export function checkRetries(value: number, code: 'INVALID_ARGUMENT' | 'INVALID_CONFIGURATION'): number {
  if (Number.isInteger(value) && value >= 0 && value <= 10) return value;
  throw invalid(code, 'retries', 'must be an integer between 0 and 10');
}

/** Returns the correlation id to send. @throws NatterError `INVALID_ARGUMENT` when the given one is malformed. */
export function chooseCorrelationId(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID();
  if (/^[A-Za-z0-9._-]{1,64}$/.test(given)) return given;
  throw invalid(
    'INVALID_ARGUMENT',
    'correlationId',
    'must be 1 to 64 letters, digits, dots, hyphens or underscores',
  );
}

/** Returns the `Idempotency-Key` to send. @throws NatterError `INVALID_ARGUMENT` when it is malformed. */
export function checkIdempotencyKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid('INVALID_ARGUMENT', 'idempotencyKey', 'must be 1 to 255 characters of visible ASCII');
}

function invalid(code: string, field: string, message: string): NatterError {
  return new NatterError({ code, text: `${field} ${message}`, fieldErrors: [{ field, message }] });
}
