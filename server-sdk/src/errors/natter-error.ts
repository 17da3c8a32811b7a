import type { FieldError } from '../schema/parse.ts';
import { adviseOn } from './error-codes.ts';

/** Fields of a NatterError. All except the code and the text have defaults. */
export interface NatterErrorInit {
  readonly code: string;
  /** The error without the advice. */
  readonly text: string;
  readonly status?: number | null;
  readonly fieldErrors?: readonly FieldError[];
  readonly correlationId?: string | null;
  readonly retryAfterMs?: number | null;
  /** Overrides the code's default. */
  readonly retryable?: boolean;
  /** Overrides the code's advice. */
  readonly advice?: string;
  readonly cause?: unknown;
}

// In the global registry, so that several copies of this package recognise each other's errors.
const BRAND: unique symbol = Symbol.for('natter.sdk.error');

/**
 * The only error class of this package. `message` says what happened and what to do next; no field ever contains an API
 * key or a token. Recognise it with `isNatterError`.
 */
export class NatterError extends Error {
  override readonly name = 'NatterError';
  /** One of the codes of the platform or of this package; see the README. */
  readonly code: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Faults by field, when the platform or the SDK found any. */
  readonly fieldErrors: readonly FieldError[];
  /** Identifies the request in the platform's logs; null when nothing was sent. */
  readonly correlationId: string | null;
  /** Whether the same call may succeed later. A call that changes something may have been executed. */
  readonly retryable: boolean;
  /** The delay that the platform requested; null when it did not. */
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
    // Not enumerable, so that printing an error shows only useful fields.
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
