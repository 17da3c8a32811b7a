import type { Clock } from '../../kit/clock.ts';
import { createTokenBucket, type TokenBucket } from '../token-bucket.ts';

/** Options of {@link PingAnswers}. */
export interface PingAnswersOptions {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly answer: (data: Buffer) => void;
}

// More pings at once than clients need to measure latency.
const BURST = 10;

/**
 * Answers protocol pings at a limited rate. Above it, only the last ping is answered, a second later, as RFC 6455 5.5.3
 * allows. `ws` itself would answer all, and buffer the pongs for a peer that does not read.
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
    // A copy, because the data is a slice of a socket read and would keep all of it in memory.
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
