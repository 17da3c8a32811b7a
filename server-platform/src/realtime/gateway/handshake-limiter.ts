import type { Clock } from '../../kit/clock.ts';

/** How many handshakes are let in. */
export interface HandshakeLimiterOptions {
  readonly clock: Clock;
  /** Checked at a time. */
  readonly maxAtOnce: number;
  /** That may wait for their turn; more are turned away at once. */
  readonly maxWaiting: number;
  /** Longest wait for a turn. Shorter than clients wait, or the work is done for those that have gone. */
  readonly maxWaitMs: number;
}

/**
 * Limits how many handshakes are checked at a time, in the order in which they came; the others wait for a bounded time.
 * Without it thousands that come at once, after a restart, all advance by one
 * step in turns, so that none is through before all are, and then their clients have given up.
 */
export class HandshakeLimiter {
  readonly #options: HandshakeLimiterOptions;
  readonly #waiting = new Set<(isAdmitted: boolean) => void>();
  #inside = 0;

  constructor(options: HandshakeLimiterOptions) {
    this.#options = options;
  }

  /** Handshakes that wait for their turn. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /**
   * Resolves true when it is the caller's turn, who then has to `release`; false when it cannot be had in time, or the
   * caller gives up by its signal, which frees its place in the line at once.
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

  /** Lets the handshake in that has waited longest. */
  release(): void {
    const [next] = this.#waiting;
    if (next) next(true);
    else this.#inside -= 1;
  }
}
