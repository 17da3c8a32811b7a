import type { OutgoingEvent } from 'natter/protocol';
import type { Clock } from '../../kit/clock.ts';

/** Limits of section 16 and their consequences. */
export interface RefusedFramesOptions {
  readonly clock: Clock;
  readonly answersPerSecond: number;
  /** Number in a row that triggers `onTooMany`. */
  readonly maxInRow: number;
  readonly answer: (event: OutgoingEvent) => void;
  readonly onTooMany: () => void;
}

const SECOND_MS = 1_000;

/**
 * Tracks one socket's frames that were refused as faulty. Answers above the rate are delayed to the next second and
 * keep their order, so that a client with a few faults at once gets every answer.
 */
export class RefusedFrames {
  readonly #options: RefusedFramesOptions;
  /** Times of the last answers, at most as many as one second allows. */
  #answeredAtMs: readonly number[] = [];
  #waiting: OutgoingEvent[] = [];
  #inRow = 0;
  #isStopped = false;
  #cancel: () => void = () => {};

  constructor(options: RefusedFramesOptions) {
    this.#options = options;
  }

  /** Counts one frame; `null` sends no answer, because the session's bucket is empty. */
  refuse(answer: OutgoingEvent | null): void {
    if (this.#isStopped) return;
    this.#inRow += 1;
    if (this.#inRow >= this.#options.maxInRow) {
      this.stop();
      this.#options.onTooMany();
      return;
    }
    if (answer === null) return;
    this.#waiting.push(answer);
    if (this.#waiting.length === 1) this.#flush();
  }

  /**
   * Resets the row after an accepted frame. Whether the session accepts an event is known only later; the returned
   * function undoes the reset if the session refuses it.
   */
  noteAccepted(): () => void {
    const before = this.#inRow;
    this.#inRow = 0;
    return () => {
      this.#inRow += before;
    };
  }

  /** Sends no more answers. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting = [];
    this.#cancel();
  }

  #flush(): void {
    const { clock, answersPerSecond, answer } = this.#options;
    const nowMs = clock.now();
    this.#answeredAtMs = this.#answeredAtMs.filter((atMs) => atMs > nowMs - SECOND_MS);
    while (this.#answeredAtMs.length < answersPerSecond) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#answeredAtMs = [...this.#answeredAtMs, nowMs];
      answer(next);
    }
    const [oldestMs = nowMs] = this.#answeredAtMs;
    if (this.#waiting.length > 0)
      this.#cancel = clock.setTimer(() => this.#flush(), oldestMs + SECOND_MS - nowMs);
  }
}
