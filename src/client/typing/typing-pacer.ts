import type { TypingState } from '../../protocol/index.ts';
import type { ClockPort } from '../ports.ts';

/** Source: messaging.md 6.3. */
const STARTED_EVERY_MS = 3_000;
const STOPPED_AFTER_MS = 5_000;

/** Turns key strokes into few typing events. `send` says whether there was a socket to write to. */
export class TypingPacer {
  readonly #clock: ClockPort;
  readonly #send: (state: TypingState) => boolean;
  #startedAtMs: number | null = null;
  #cancelStop: (() => void) | null = null;

  constructor(clock: ClockPort, send: (state: TypingState) => boolean) {
    this.#clock = clock;
    this.#send = send;
  }

  /** A key stroke. */
  notify(): void {
    const nowMs = this.#clock.now();
    const isDue = this.#startedAtMs === null || nowMs - this.#startedAtMs >= STARTED_EVERY_MS;
    if (isDue) {
      if (!this.#send('TYPING_STATE_STARTED')) {
        this.reset();
        return;
      }
      this.#startedAtMs = nowMs;
    }
    this.#cancelStop?.();
    this.#cancelStop = this.#clock.setTimer(() => {
      this.reset();
      this.#send('TYPING_STATE_STOPPED');
    }, STOPPED_AFTER_MS);
  }

  /** Forgets, without a word: there is nobody to tell. */
  reset(): void {
    this.#cancelStop?.();
    this.#cancelStop = null;
    this.#startedAtMs = null;
  }
}
