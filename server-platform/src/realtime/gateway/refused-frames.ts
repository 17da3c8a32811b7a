import type { OutgoingEvent } from 'natter/protocol';
import type { Clock } from '../../kit/clock.ts';

/** Limits of section 16 and their consequences. */
export interface RefusedFramesOptions {
  readonly clock: Clock;
  readonly answersPerSecond: number;
  /** As many in a row as make `onTooMany` run. */
  readonly maxInRow: number;
  readonly answer: (event: OutgoingEvent) => void;
  readonly onTooMany: () => void;
}

const SECOND_MS = 1_000;

/**
 * The frames of one socket that were refused for a fault of the client's. Answers beyond the rate wait for the next
 * second and keep their order, so that a client with a few faults at once still gets every answer.
 */
export class RefusedFrames {
  readonly #options: RefusedFramesOptions;
  /** When the last answers were sent, at most as many as go into one second. */
  #answeredAtMs: readonly number[] = [];
  #waiting: OutgoingEvent[] = [];
  #inRow = 0;
  #isStopped = false;
  #cancel: () => void = () => {};

  constructor(options: RefusedFramesOptions) {
    this.#options = options;
  }

  /** Counts one frame; `null`: it gets no answer, because the session's bucket is empty. */
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
   * A frame was accepted: the row ends. Whether the session accepts an event is known later; the returned function
   * takes it back, for an event that the session refuses after all.
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
