import type { Clock } from '../../kit/clock.ts';
import type { MessagingLimits } from '../messaging-limits.ts';

/** What an allowance needs. */
export interface ByteAllowanceOptions {
  readonly clock: Clock;
  readonly limits: Pick<MessagingLimits, 'socketBytesPerSecond' | 'framesPerSecond' | 'maxFrameBytes'>;
}

// As many seconds' worth may be used at once.
const BURST_SECONDS = 4;
// The largest frame that is read to its end uses the whole burst.
const EXCESS_FACTOR = 3;

/** The bytes that the sockets of one session may send together, so that a new socket brings no new allowance. */
export class ByteAllowance {
  readonly #clock: Clock;
  readonly #bytesPerSecond: number;
  readonly #maxFrameBytes: number;
  #bytes: number;
  #filledAtMs: number;

  constructor({ clock, limits }: ByteAllowanceOptions) {
    this.#clock = clock;
    this.#maxFrameBytes = limits.maxFrameBytes;
    // Never below what the limits of section 16 let through.
    this.#bytesPerSecond = Math.max(
      limits.socketBytesPerSecond,
      limits.framesPerSecond * limits.maxFrameBytes,
    );
    this.#bytes = this.#bytesPerSecond * BURST_SECONDS;
    this.#filledAtMs = clock.now();
  }

  /** Whether more was taken than is allowed so far. */
  get isExceeded(): boolean {
    this.#fill();
    return this.#bytes < 0;
  }

  /** Counts one frame. */
  take(frameBytes: number): void {
    this.#fill();
    // Frames that are refused for their size are read, unmasked and checked in vain, so the excess counts more.
    this.#bytes -= frameBytes + EXCESS_FACTOR * Math.max(0, frameBytes - this.#maxFrameBytes);
  }

  #fill(): void {
    const nowMs = this.#clock.now();
    // A clock set back must not empty the allowance.
    const seconds = Math.max(0, nowMs - this.#filledAtMs) / 1000;
    this.#filledAtMs = nowMs;
    const burst = this.#bytesPerSecond * BURST_SECONDS;
    this.#bytes = Math.min(burst, this.#bytes + seconds * this.#bytesPerSecond);
  }
}
