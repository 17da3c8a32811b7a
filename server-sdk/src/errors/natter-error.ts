import type { FieldError } from '../schema/parse.ts';
import { adviseOn } from './error-codes.ts';

/** What a NatterError is made of. Everything but the code and the text has a default. */
export interface NatterErrorInit {
  readonly code: string;
  /** What happened, without the advice. */
  readonly text: string;
  readonly status?: number | null;
  readonly fieldErrors?: readonly FieldError[];
  readonly correlationId?: string | null;
  readonly retryAfterMs?: number | null;
  /** Overrides what the code says. */
  readonly retryable?: boolean;
  /** Overrides the advice of the code. */
  readonly advice?: string;
  readonly cause?: unknown;
}

// In the global registry, so that a guard of one copy of this package knows the errors of another.
const BRAND: unique symbol = Symbol.for('natter.sdk.error');

/**
 * The one error of this package. `message` says what happened and what to do next; no field ever holds an API
 * key or a token. Recognise it with `isNatterError`.
 */
export class NatterError extends Error {
  override readonly name = 'NatterError';
  /** One of the codes of the platform or of this package; see the README. */
  readonly code: string;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Faults by field, when the platform or the SDK found any. */
  readonly fieldErrors: readonly FieldError[];
  /** Names the request in the platform's logs; null when nothing was sent. */
  readonly correlationId: string | null;
  /** Whether the same call may succeed later. A call that changes something may have been carried out. */
  readonly retryable: boolean;
  /** How long the platform asked to wait; null when it did not. */
  readonly retryAfterMs: number | null;

  constructor(init: NatterErrorInit) {
    const status = init.status ?? null;
    const known = adviseOn(init.code, status);
    super(
      joinSentences(init.text, init.advice ?? known.advice),
      'cause' in init ? { cause: init.cause } : undefined,
    );
    this.code = init.code;
    this.status = status;
    this.fieldErrors = init.fieldErrors ?? [];
    this.correlationId = init.correlationId ?? null;
    this.retryable = init.retryable ?? known.isRetryable;
    this.retryAfterMs = init.retryAfterMs ?? null;
    // Not enumerable: printing an error shows what a reader can use.
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether a caught value is an error of this package, from any copy of it. */
export function isNatterError(value: unknown): value is NatterError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** The error for an argument that cannot be sent. */
export function invalidArgument(field: string, message: string): NatterError {
  return new NatterError({
    code: 'INVALID_ARGUMENT',
    text: `${field} ${message}`,
    fieldErrors: [{ field, message }],
  });
}

function joinSentences(text: string, advice: string): string {
  const first = text.trim();
  if (advice === '') return first;
  return /[.!?]$/.test(first) ? `${first} ${advice}` : `${first}. ${advice}`;
}
