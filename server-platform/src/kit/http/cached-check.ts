import type { Clock } from '../clock.ts';

// Short, because clients check before they reconnect, and keep waiting after a "no".
const KEPT_MS = 250;

/**
 * Makes a check that all callers share, so that frequent calls cost nothing: one runs at a time, and its result is
 * valid for a quarter of a second. `check` must not reject.
 */
export function createCachedCheck(clock: Clock, check: () => Promise<boolean>): () => Promise<boolean> {
  let current: Promise<boolean> | null = null;
  return () => {
    if (current !== null) return current;
    const begun = check();
    current = begun;
    void begun.then(() =>
      clock.setTimer(() => {
        current = null;
      }, KEPT_MS),
    );
    return begun;
  };
}
