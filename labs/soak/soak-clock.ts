import type { ClockPort } from 'natter/client';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Options of a clock that keeps pace with the program under test. */
export interface SoakClockOptions {
  /** Highest speed, as a multiple of the machine's clock. */
  readonly rate: number;
  /** Its initial time. Default: the machine's time. */
  readonly startMs?: number;
}

const TURN_EVERY_MS = 2;
// Of one turn of the event loop not more than this counts as fast time, so that pending events run between two timers.
const MAX_FAST_MS = 5;
// What one answer is worth: a time-out of 15 s is never over before the platform could answer some sixty questions.
const ANSWER_WORTH_MS = 250;

/**
 * A clock that runs up to `rate` times as fast as the machine's, so that half a minute of back-off takes seconds, but only
 * as far as the system under test keeps up: each of its answers lets some more time pass, and until the next one, and
 * while this process stalls, the clock is no faster than the machine's. Time-outs then measure the software, not the
 * machine; they are never longer than they would be in real time, so that nothing can hide behind a slow clock.
 *
 * Runs in Node, and in the pages of a browser after the one in Node, which waits for them as for the system under test.
 */
export class SoakClock implements ClockPort {
  readonly rate: number;
  #nowMs: number;
  /** As far as it may run fast. */
  #horizonMs: number;
  #seenAt: number = performance.now();
  #order = 0;
  readonly #timers = new Set<Timer>();
  readonly #turning: NodeJS.Timeout;

  constructor({ rate, startMs = Date.now() }: SoakClockOptions) {
    this.rate = rate;
    this.#nowMs = startMs;
    this.#horizonMs = startMs;
    this.#turning = setInterval(() => this.#fire(), TURN_EVERY_MS);
    // In Node it keeps no process alive; a page has numbers for its timers.
    if (typeof this.#turning === 'object') this.#turning.unref();
  }

  /** The system under test has answered a question. `atMs` is the time of the clock that this one goes after, if any. */
  markAnswered(atMs?: number): void {
    this.#sync();
    this.#nowMs = Math.max(this.#nowMs, atMs ?? 0);
    this.#horizonMs = (atMs ?? this.#nowMs) + ANSWER_WORTH_MS;
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
    return () => this.#timers.delete(timer);
  }

  /** Resolves after `delayMs` of this clock's time. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.setTimer(resolve, delayMs);
    });
  }

  close(): void {
    clearInterval(this.#turning);
    this.#timers.clear();
  }

  #sync(): void {
    const at = performance.now();
    const elapsedMs = at - this.#seenAt;
    this.#seenAt = at;
    const openMs = Math.max(0, this.#horizonMs - this.#nowMs);
    const fastMs = Math.min(elapsedMs, MAX_FAST_MS, openMs / this.rate);
    this.#nowMs += fastMs * this.rate + (elapsedMs - fastMs);
  }

  #next(): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.#timers) {
      if (!next || timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.order < next.order))
        next = timer;
    }
    return next;
  }

  /** Runs due timers, in order of time, then of creation. */
  #fire(): void {
    this.#sync();
    for (let next = this.#next(); next && next.atMs <= this.#nowMs; next = this.#next()) {
      this.#timers.delete(next);
      next.callback();
    }
  }
}
