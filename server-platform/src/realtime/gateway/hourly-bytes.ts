import type { Clock } from '../../kit/clock.ts';

/** A key's remaining bytes, and when they were counted. */
interface Account {
  left: number;
  atMs: number;
}

const HOUR_MS = 3_600_000;
// The least recently used key is evicted, so that a flood of addresses does not fill the memory.
const MAX_KEYS = 100_000;

/** An hourly byte limit per key, without a limit on bursts. Counted per node. */
export class HourlyBytes {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #accounts = new Map<string, Account>();

  constructor(clock: Clock, maxBytes: number) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  /** Counts bytes; false when they exceed the limit, and then they are not counted. */
  take(key: string, bytes: number): boolean {
    const nowMs = this.#clock.now();
    const { left, atMs } = this.#accounts.get(key) ?? { left: this.#maxBytes, atMs: nowMs };
    // After the clock was set back, a negative elapsed time counts as zero.
    const refilled = (Math.max(0, nowMs - atMs) / HOUR_MS) * this.#maxBytes;
    const available = Math.min(this.#maxBytes, left + refilled);
    const isWithin = bytes <= available;
    this.#accounts.delete(key);
    this.#accounts.set(key, { left: isWithin ? available - bytes : available, atMs: nowMs });
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > MAX_KEYS && oldest !== undefined) this.#accounts.delete(oldest);
    return isWithin;
  }
}
