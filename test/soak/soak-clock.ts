import type { ClockPort } from '../../src/client/index.ts';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly callback: () => void;
}

// A gap between two looks at the machine's clock that is longer than this is a stall of this process.
const STALL_MS = 40;
const LOOK_EVERY_MS = 10;

/**
 * A clock that runs `rate` times as fast as the machine's, so that half a minute of back-off takes a second, and that can be
 * slowed down while the machine has more to do than it can. While this process itself stalls, it hardly moves: time-outs
 * then measure the software and not the machine.
 */
export class SoakClock implements ClockPort {
  #nowMs: number = Date.now();
  #seenAt: number = performance.now();
  #rate: number;
  #order = 0;
  readonly #timers = new Set<Timer>();
  #alarm: NodeJS.Timeout | undefined;
  readonly #look: NodeJS.Timeout;

  constructor(rate: number) {
    this.#rate = rate;
    this.#look = setInterval(() => this.#sync(), LOOK_EVERY_MS);
    this.#look.unref();
  }

  get rate(): number {
    return this.#rate;
  }

  set rate(rate: number) {
    if (rate === this.#rate) return;
    this.#sync();
    this.#rate = rate;
    this.#arm();
  }

  now(): number {
    this.#sync();
    return Math.round(this.#nowMs);
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    this.#sync();
    this.#order += 1;
    const timer: Timer = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order, callback };
    this.#timers.add(timer);
    this.#arm();
    return () => this.#timers.delete(timer);
  }

  /** Resolves after `delayMs` of this clock's time. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.setTimer(resolve, delayMs);
    });
  }

  close(): void {
    clearInterval(this.#look);
    clearTimeout(this.#alarm);
    this.#timers.clear();
  }

  #sync(): void {
    const at = performance.now();
    const elapsedMs = at - this.#seenAt;
    this.#seenAt = at;
    const counted = Math.min(elapsedMs, STALL_MS);
    this.#nowMs += counted * this.#rate + (elapsedMs - counted);
  }

  #next(): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.#timers) {
      if (!next || timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.order < next.order))
        next = timer;
    }
    return next;
  }

  #arm(): void {
    clearTimeout(this.#alarm);
    const next = this.#next();
    if (!next) return;
    this.#alarm = setTimeout(() => this.#fire(), Math.max(0, (next.atMs - this.#nowMs) / this.#rate));
  }

  /** Runs what is due, in order of time, then of setting. */
  #fire(): void {
    this.#sync();
    for (let next = this.#next(); next && next.atMs <= this.#nowMs; next = this.#next()) {
      this.#timers.delete(next);
      next.callback();
    }
    this.#arm();
  }
}
