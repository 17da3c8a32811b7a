/** Verdict of a limiter: continue, or retry after this many whole seconds (at least 1, HTTP-10). */
export type LimitVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** Limits the uses of a key in any window of the given length. */
export interface WindowLimiter {
  /** `cost` counts as several uses, which are all allowed or all refused. Default 1. */
  use(key: string, nowMs: number, cost?: number): LimitVerdict;
  /** Undoes a use made at this time. */
  takeBack(key: string, atMs: number): void;
  /** Keys held in memory, for tests and metrics. */
  readonly size: number;
}

const ALLOWED: LimitVerdict = { allowed: true };

/**
 * Counts exactly, in a sliding window, because a fixed window would allow twice the limit around its edge. Refused uses
 * do not count, so a caller that honours `Retry-After` always succeeds.
 *
 * @example
 * const sessions = createWindowLimiter({ limit: 10, windowMs: 60_000 });
 * const verdict = sessions.use(clientAddress, clock.now());
 */
export function createWindowLimiter(options: {
  readonly limit: number;
  readonly windowMs: number;
  /**
   * Maximum number of keys; the least recently used is evicted, so that a flood of addresses does not fill the memory.
   */
  readonly maxKeys?: number;
}): WindowLimiter {
  const { limit, windowMs, maxKeys = 100_000 } = options;
  // Insertion order equals order of last use, because every use deletes and sets again.
  const uses = new Map<string, number[]>();

  const forgetStale = (nowMs: number): void => {
    for (const [key, times] of uses) {
      const last = times.at(-1);
      if (uses.size <= maxKeys && last !== undefined && last > nowMs - windowMs) return;
      uses.delete(key);
    }
  };

  return {
    use(key, nowMs, cost = 1) {
      const recent = (uses.get(key) ?? []).filter((at) => at > nowMs - windowMs);
      const excess = recent.length + cost - limit;
      if (excess > 0) {
        uses.delete(key);
        uses.set(key, recent);
        const oldest = recent[excess - 1] ?? nowMs;
        return {
          allowed: false,
          retryAfterSeconds: Math.max(1, Math.ceil((oldest + windowMs - nowMs) / 1000)),
        };
      }
      for (let used = 0; used < cost; used += 1) recent.push(nowMs);
      uses.delete(key);
      uses.set(key, recent);
      forgetStale(nowMs);
      return ALLOWED;
    },
    takeBack(key, atMs) {
      const times = uses.get(key) ?? [];
      const index = times.lastIndexOf(atMs);
      if (index !== -1) times.splice(index, 1);
    },
    get size() {
      return uses.size;
    },
  };
}
