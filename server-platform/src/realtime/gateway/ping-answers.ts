import type { Clock } from '../../kit/clock.ts';
import { createTokenBucket, type TokenBucket } from '../token-bucket.ts';

/** How pings are answered. */
export interface PingAnswersOptions {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly answer: (data: Buffer) => void;
}

// More pings at once than any client sends to measure its link.
const BURST = 10;

/**
 * Answers protocol pings at a bounded rate. Of those above it only the last one is answered, a second later, as
 * RFC 6455 5.5.3 allows. `ws` itself answers all, and keeps the answers in memory for a peer that does not read.
 */
export class PingAnswers {
  readonly #options: PingAnswersOptions;
  readonly #bucket: TokenBucket;
  #last: Buffer | null = null;
  #cancel: () => void = () => {};

  constructor(options: PingAnswersOptions) {
    this.#options = options;
    this.#bucket = createTokenBucket({ capacity: BURST, refillPerSecond: options.perSecond });
  }

  take(data: Buffer): void {
    const { clock, answer } = this.#options;
    if (this.#last === null && this.#bucket.take(clock.now())) {
      answer(data);
      return;
    }
    const isArmed = this.#last !== null;
    // A copy: the data is a slice of a socket read, which would stay in memory as a whole.
    this.#last = Buffer.from(data);
    if (isArmed) return;
    this.#cancel = clock.setTimer(() => {
      const last = this.#last;
      this.#last = null;
      if (last !== null) answer(last);
    }, 1_000);
  }

  stop(): void {
    this.#cancel();
  }
}
