const STEP_SECONDS = 30;

/**
 * How long the request at `position` (from 1) will wait, from how long the last conversations of its queue took; null
 * without any. Rounded up to half minutes, so that it does not change all the time.
 */
export function estimateWaitSeconds(input: {
  readonly position: number;
  readonly handlingMs: readonly number[];
  /** Conversations that the people of the queue who are there can have at the same time. */
  readonly seats: number;
}): number | null {
  const { position, handlingMs, seats } = input;
  if (handlingMs.length === 0 || seats <= 0) return null;
  const meanMs = handlingMs.reduce((sum, each) => sum + each, 0) / handlingMs.length;
  // With all seats taken, one becomes free every `mean / seats`.
  const seconds = (position * meanMs) / seats / 1_000;
  return Math.max(STEP_SECONDS, Math.ceil(seconds / STEP_SECONDS) * STEP_SECONDS);
}
