/** When a call may be sent again: always (it changes nothing, or twice is as once), or only if it was refused. */
export type Repeatability = 'always' | 'when-refused';

/** What went wrong, as far as the decision needs it. */
export interface Failure {
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  readonly code: string;
  readonly retryAfterMs: number | null;
}

export interface RetrySettings {
  /** How many times a call is sent again at most. */
  readonly retries: number;
  /** A longer `Retry-After` is left to the caller. */
  readonly maxRetryDelayMs: number;
}

// Half a second, doubled per attempt, up to this: a person may be waiting behind the caller.
const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 8_000;

// Gateways and overloaded servers say these; 501 and other 5xx will not change by asking again.
const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/**
 * How long to wait before sending a call again; null for not at all. A call that may not be repeated is sent
 * again only when the answer says that nothing was done: 429 (refused before it began, C-14) and
 * `MONITORING_SYNC_FAILED` (nothing stored, AL-3). One whose key is in use is asked for again until the first is answered. `Retry-After` is followed up to `maxRetryDelayMs`.
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
  // Half fixed, half random: never at once, and never all clients together.
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
}

function mayPass({ status, code }: Failure): boolean {
  if (code === 'IDEMPOTENCY_KEY_IN_USE') return true;
  return status === null ? code === 'NETWORK_ERROR' || code === 'TIMEOUT' : PASSING_STATUSES.has(status);
}

function wasRefused({ status, code }: Failure): boolean {
  return status === 429 || code === 'MONITORING_SYNC_FAILED';
}
