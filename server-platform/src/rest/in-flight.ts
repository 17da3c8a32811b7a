import { type Clock, pause } from '../messaging/clock.ts';

/** The calls that are being answered, so that a shutdown can wait for them. */
export class InFlight {
  #count = 0;
  #waiting: (() => void)[] = [];

  /** Counts the call until it is answered. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await call();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const resume of this.#waiting.splice(0)) resume();
    }
  }

  /** Resolves when no call is being answered, or after `graceMs`. */
  async finish(clock: Clock, graceMs: number): Promise<void> {
    if (this.#count === 0) return;
    const stop = new AbortController();
    const idle = new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
    await Promise.race([idle, pause(clock, graceMs, stop.signal)]);
    stop.abort();
  }
}
