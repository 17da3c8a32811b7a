/** The platform's clock, which tests can stop. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once after `delayMs`; the returned function cancels it. Never keeps the process alive. */
  setTimer(callback: () => void, delayMs: number): () => void;
}

// Node fires a timer beyond 2^31-1 ms immediately.
const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A monotonic clock for measuring durations. It is never adjusted, and its zero is arbitrary. */
export const steadyClock: Clock = { ...systemClock, now: () => performance.now() };

/** Resolves after `delayMs` on the given clock, or at once when the signal is aborted. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const finish = (): void => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.setTimer(finish, delayMs);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
