import type { ErrorCode } from './error-codes.ts';
import type { LogFields } from './kit/log.ts';

interface ProxyFailureOptions {
  readonly retryAfterMs?: number;
  /** Details for the operator's log only; never part of the response. */
  readonly logFields?: LogFields;
  readonly cause?: unknown;
}

/**
 * An expected refusal: a code of the table, and a message for the visitor's browser. Recognise it with
 * `isProxyFailure`.
 */
export class ProxyFailure extends Error {
  readonly code: ErrorCode;
  readonly retryAfterMs: number | null;
  readonly logFields: LogFields;

  constructor(code: ErrorCode, message: string, options: ProxyFailureOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'ProxyFailure';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.logFields = options.logFields ?? {};
  }
}

/** True for a refusal made by this package. */
export function isProxyFailure(error: unknown): error is ProxyFailure {
  return error instanceof Error && error.name === 'ProxyFailure' && 'code' in error && 'logFields' in error;
}

/**
 * The error response for any thrown value. `describeFault` redacts foreign texts for the log; callers never see them.
 */
export function toProxyFailure(error: unknown, describeFault: (error: unknown) => string): ProxyFailure {
  if (isProxyFailure(error)) return error;
  return new ProxyFailure(
    'INTERNAL',
    'The token proxy failed. Try again. If it keeps failing, report the correlation id.',
    { logFields: { fault: describeFault(error) }, cause: error },
  );
}
