const STEP_SECONDS = 30;

/**
 * Estimates the wait of the request at `position` (from 1) from the durations of its queue's last conversations; null
 * without any. Rounded up to half minutes, so that it does not change constantly.
 */
export function estimateWaitSeconds(input: {
  readonly position: number;
  readonly handlingMs: readonly number[];
  /** Concurrent conversations that the queue's present staff can have. */
  readonly seats: number;
}): number | null {
  const { position, handlingMs, seats } = input;
  if (handlingMs.length === 0 || seats <= 0) return null;
  const meanMs = handlingMs.reduce((sum, each) => sum + each, 0) / handlingMs.length;
  // With all seats taken, one becomes free every `mean / seats`.
  const seconds = (position * meanMs) / seats / 1_000;
  return Math.max(STEP_SECONDS, Math.ceil(seconds / STEP_SECONDS) * STEP_SECONDS);
}
