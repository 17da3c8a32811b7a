/** Why an attempt can be repeated. `retryAfter` is the header's text. */
export type RepeatableFailure =
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'rate-limited'; readonly retryAfter: string | null };

// HTTP-9: up to three retries, one delay each.
const DELAYS_MS = [1_000, 2_000, 4_000];
/** Delay when the platform sent no readable Retry-After. Source: HTTP-9. */
export const DEFAULT_RETRY_AFTER_MS = 5_000;
// Longest accepted Retry-After according to HTTP-9.
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * Parses `Retry-After` to milliseconds: seconds, fractions allowed; 5 s if missing or unreadable, at most 30 s. Source:
 * HTTP-9, HTTP-10.
 */
export function readRetryAfterMs(value: string | null): number {
  const text = value?.trim() ?? '';
  if (!/^\d+(?:\.\d+)?$/.test(text)) return DEFAULT_RETRY_AFTER_MS;
  return Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS);
}

/** The wait that the failure requests, independent of the budget. `retriesDone` counts from 0. Source: HTTP-9. */
export function requestedWaitMs(failure: RepeatableFailure, retriesDone: number): number {
  if (failure.kind === 'rate-limited') return readRetryAfterMs(failure.retryAfter);
  return DELAYS_MS[retriesDone] ?? DEFAULT_RETRY_AFTER_MS;
}

/**
 * Decides whether to retry: returns the delay in milliseconds, or null to give up.
 *
 * Skips a delay that would end at or after the deadline, so that the visitor sees the failure immediately. Source:
 * HTTP-9.
 */
export function decideRetry(
  failure: RepeatableFailure,
  retriesDone: number,
  remainingMs: number,
): number | null {
  if (retriesDone >= DELAYS_MS.length) return null;
  const waitMs = requestedWaitMs(failure, retriesDone);
  return waitMs < remainingMs ? waitMs : null;
}
