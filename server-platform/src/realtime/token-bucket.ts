/** A token bucket, initially full and refilled at a steady rate. Times are milliseconds of one clock. */
export interface TokenBucket {
  /** Takes one allowance; false when there is none. */
  take(nowMs: number): boolean;
}

/**
 * Makes the bucket of section 16: `capacity` frames at once, then `refillPerSecond`.
 *
 * @example
 * const frames = createTokenBucket({ capacity: 20, refillPerSecond: 5 });
 * if (!frames.take(clock.now())) drop();
 */
export function createTokenBucket(options: {
  readonly capacity: number;
  readonly refillPerSecond: number;
}): TokenBucket {
  const { capacity, refillPerSecond } = options;
  let level = capacity;
  let filledAtMs: number | null = null;
  return {
    take(nowMs) {
      // After the clock was set back, a negative elapsed time counts as zero.
      const elapsedMs = filledAtMs === null ? 0 : Math.max(0, nowMs - filledAtMs);
      level = Math.min(capacity, level + (elapsedMs / 1000) * refillPerSecond);
      filledAtMs = nowMs;
      if (level < 1) return false;
      level -= 1;
      return true;
    },
  };
}
