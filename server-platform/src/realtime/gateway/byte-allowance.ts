import type { Clock } from '../../kit/clock.ts';
import type { MessagingLimits } from '../messaging-limits.ts';

/** Options of {@link ByteAllowance}. */
export interface ByteAllowanceOptions {
  readonly clock: Clock;
  readonly limits: Pick<MessagingLimits, 'socketBytesPerSecond' | 'framesPerSecond' | 'maxFrameBytes'>;
}

// Seconds' worth of bytes that may be used at once.
const BURST_SECONDS = 4;
// The largest frame that is still read uses the whole burst.
const EXCESS_FACTOR = 3;

/** Bytes that all sockets of one session may send together, so that another socket brings no further allowance. */
export class ByteAllowance {
  readonly #clock: Clock;
  readonly #bytesPerSecond: number;
  readonly #maxFrameBytes: number;
  #bytes: number;
  #filledAtMs: number;

  constructor({ clock, limits }: ByteAllowanceOptions) {
    this.#clock = clock;
    this.#maxFrameBytes = limits.maxFrameBytes;
    // Never below what the limits of section 16 allow.
    this.#bytesPerSecond = Math.max(
      limits.socketBytesPerSecond,
      limits.framesPerSecond * limits.maxFrameBytes,
    );
    this.#bytes = this.#bytesPerSecond * BURST_SECONDS;
    this.#filledAtMs = clock.now();
  }

  /** Whether the allowance is used up. */
  get isExceeded(): boolean {
    this.#fill();
    return this.#bytes < 0;
  }

  /** Counts one frame. */
  take(frameBytes: number): void {
    this.#fill();
    // Oversized frames are read, unmasked and checked in vain, so the excess is weighted.
    this.#bytes -= frameBytes + EXCESS_FACTOR * Math.max(0, frameBytes - this.#maxFrameBytes);
  }

  #fill(): void {
    const nowMs = this.#clock.now();
    // After the clock was set back, a negative elapsed time counts as zero.
    const seconds = Math.max(0, nowMs - this.#filledAtMs) / 1000;
    this.#filledAtMs = nowMs;
    const burst = this.#bytesPerSecond * BURST_SECONDS;
    this.#bytes = Math.min(burst, this.#bytes + seconds * this.#bytesPerSecond);
  }
}
