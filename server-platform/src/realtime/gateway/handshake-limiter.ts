import type { Clock } from '../../kit/clock.ts';

/** Options of {@link HandshakeLimiter}. */
export interface HandshakeLimiterOptions {
  readonly clock: Clock;
  /** Handshakes checked concurrently. */
  readonly maxAtOnce: number;
  /** Queue size; further handshakes are rejected immediately. */
  readonly maxWaiting: number;
  /** Longest time in the queue. Shorter than clients wait, so that no work is done for clients that have given up. */
  readonly maxWaitMs: number;
}

/**
 * Limits how many handshakes are checked concurrently, in order of arrival; others wait for a limited time. Without it,
 * thousands of handshakes after a restart would advance in lockstep, and their clients would give up before any of them
 * completes.
 */
export class HandshakeLimiter {
  readonly #options: HandshakeLimiterOptions;
  readonly #waiting = new Set<(isAdmitted: boolean) => void>();
  #inside = 0;

  constructor(options: HandshakeLimiterOptions) {
    this.#options = options;
  }

  /** Queued handshakes. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /**
   * Resolves true when the caller may proceed, and must then call `release`; false after the longest wait, or when the
   * caller's signal aborts, which frees its place in the queue at once.
   */
  acquire(signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    const { clock, maxAtOnce, maxWaiting, maxWaitMs } = this.#options;
    if (this.#inside < maxAtOnce) {
      this.#inside += 1;
      return Promise.resolve(true);
    }
    if (this.#waiting.size >= maxWaiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const decide = (isAdmitted: boolean): void => {
        cancel();
        signal?.removeEventListener('abort', giveUp);
        this.#waiting.delete(decide);
        resolve(isAdmitted);
      };
      const giveUp = (): void => decide(false);
      const cancel = clock.setTimer(giveUp, maxWaitMs);
      signal?.addEventListener('abort', giveUp);
      this.#waiting.add(decide);
    });
  }

  /** Lets the longest-waiting handshake proceed. */
  release(): void {
    const [next] = this.#waiting;
    if (next) next(true);
    else this.#inside -= 1;
  }
}
