/** When a call may be repeated: always (it is idempotent), or only if it was refused. */
export type Repeatability = 'always' | 'when-refused';

/** The parts of a failure that the decision needs. */
export interface Failure {
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly code: string;
  readonly retryAfterMs: number | null;
}

export interface RetrySettings {
  /** Maximum number of repetitions. */
  readonly retries: number;
  /** A longer `Retry-After` is left to the caller. */
  readonly maxRetryDelayMs: number;
}

// Half a second, doubled per attempt, up to this limit, because a person may be waiting.
const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 8_000;

// Temporary statuses of gateways and overloaded servers; 501 and other 5xx are final.
const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Returns the delay before a call is repeated; null if it should not be. A non-repeatable call is only repeated when
 * the response states that nothing was done: 429 (refused before it began, C-14) and `MONITORING_SYNC_FAILED` (nothing
 * stored, AL-3). A call whose idempotency key is in use is repeated until the first one has completed. `Retry-After` is
 * followed up to `maxRetryDelayMs`.
 */
export function retryDelayMs(
  failure: Failure,
  repeatability: Repeatability,
  attempt: number,
  settings: RetrySettings,
  random: number,
): number | null {
  if (attempt > settings.retries || !mayPass(failure)) return null;
  if (repeatability === 'when-refused' && !wasRefused(failure)) return null;
  if (failure.retryAfterMs !== null) {
    return failure.retryAfterMs <= settings.maxRetryDelayMs ? failure.retryAfterMs : null;
  }
  const ceiling = Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1), settings.maxRetryDelayMs);
  // Half fixed, half random, so that clients retry neither immediately nor all at once.
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
}

function mayPass({ status, code }: Failure): boolean {
  if (code === 'IDEMPOTENCY_KEY_IN_USE') return true;
  return status === null ? code === 'NETWORK_ERROR' || code === 'TIMEOUT' : PASSING_STATUSES.has(status);
}

function wasRefused({ status, code }: Failure): boolean {
  return status === 429 || code === 'MONITORING_SYNC_FAILED';
}
