/** Clock and randomness of the client, which tests replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to just under 1. */
  readonly random: () => number;
  /** Runs `run` once after `delayMs`; the returned function cancels it. */
  readonly startTimer: (delayMs: number, run: () => void) => () => void;
}

/** The clock of the runtime. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  startTimer: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or rejects with the signal's reason as soon as it is aborted. */
export function wait(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    let stopTimer = (): void => undefined;
    const onAbort = (): void => {
      stopTimer();
      reject(signal?.reason);
    };
    // Listens first, so that an abort while the timer starts is not missed.
    signal?.addEventListener('abort', onAbort, { once: true });
    stopTimer = clock.startTimer(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    if (signal?.aborted) stopTimer();
  });
}
