/** Clock of the agents; tests replace it to control time. */
export interface AgentClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once after `delayMs`; the returned function cancels it. */
  setTimer(callback: () => void, delayMs: number): () => void;
}

/** The machine's clock. */
export const systemAgentClock: AgentClock = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`; rejects with the signal's reason as soon as the signal is aborted. */
export function sleep(clock: AgentClock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = { cancel: (): void => {} };
    const onAbort = (): void => {
      timer.cancel();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    timer.cancel = clock.setTimer(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
  });
}
