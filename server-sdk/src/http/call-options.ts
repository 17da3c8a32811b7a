import { NatterError } from '../errors/natter-error.ts';

/** What any single call can be given besides its arguments. */
export interface CallOptions {
  /** Gives the call up: it rejects with code `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
  /** Overrides `retries` of the client. */
  readonly retries?: number | undefined;
  /** Names the call in both sides' logs: 1 to 64 of `A-Z a-z 0-9 . _ -`. A random one otherwise (HTTP-2). */
  readonly correlationId?: string | undefined;
}

/** For families whose paths name an account and a project. */
export interface ProjectCallOptions extends CallOptions {
  /** Overrides `accountId` of the client. */
  readonly accountId?: string | undefined;
  /** Overrides `projectId` of the client. */
  readonly projectId?: string | undefined;
}

// The longest a timer can run; more fires at once.
const MAX_TIMER_MS = 2_147_483_647;

/** @throws NatterError with `code` when the number is no time limit. */
export function checkTimeout(value: number, code: 'INVALID_ARGUMENT' | 'INVALID_CONFIGURATION'): number {
  if (Number.isFinite(value) && value > 0 && value <= MAX_TIMER_MS) return value;
  throw invalid(code, 'timeoutMs', `must be a number of milliseconds between 1 and ${MAX_TIMER_MS}`);
}

/** @throws NatterError with `code` when the number is no number of retries. */
export function checkRetries(value: number, code: 'INVALID_ARGUMENT' | 'INVALID_CONFIGURATION'): number {
  if (Number.isInteger(value) && value >= 0 && value <= 10) return value;
  throw invalid(code, 'retries', 'must be an integer between 0 and 10');
}

/** The correlation id to send. @throws NatterError `INVALID_ARGUMENT` when the given one has another form. */
export function chooseCorrelationId(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID();
  if (/^[A-Za-z0-9._-]{1,64}$/.test(given)) return given;
  throw invalid(
    'INVALID_ARGUMENT',
    'correlationId',
    'must be 1 to 64 letters, digits, dots, hyphens or underscores',
  );
}

function invalid(code: string, field: string, message: string): NatterError {
  return new NatterError({ code, text: `${field} ${message}`, fieldErrors: [{ field, message }] });
}
