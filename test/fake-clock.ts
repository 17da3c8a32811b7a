import type { ClockPort } from '../src/client/index.ts';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that a test controls. Timers run in order of time, then of creation. */
export class FakeClock implements ClockPort {
  #nowMs: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs: number = Date.UTC(2026, 2, 2, 9, 15)) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    const timer: Timer = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Number of set timers; zero after complete cleanup. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer; `null` for none. */
  get nextDelayMs(): number | null {
    const next = this.#next(Number.POSITIVE_INFINITY);
    return next && next.atMs - this.#nowMs;
  }

  /** Simulates sleep of the machine: time passes and no timer runs. Overdue timers run in the next `advance`. */
  sleep(ms: number): void {
    this.#nowMs += ms;
  }

  /** Lets time pass, and runs timers, including those that are set meanwhile. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let timer = this.#next(untilMs); timer; timer = this.#next(untilMs)) {
      this.#timers.delete(timer);
      this.#nowMs = Math.max(this.#nowMs, timer.atMs);
      timer.callback();
    }
    this.#nowMs = untilMs;
  }

  #next(untilMs: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.#timers) {
      const isEarlier =
        !next || timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.order < next.order);
      if (timer.atMs <= untilMs && isEarlier) next = timer;
    }
    return next;
  }
}
