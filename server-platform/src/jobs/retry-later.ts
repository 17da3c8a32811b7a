import type { Clock } from '../kit/clock.ts';

/** Delays of failed items. */
export interface RetryLaterOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Delay after the first failure. Doubles with each further one. Default: 5 seconds. */
  readonly firstMs?: number;
  /** Longest delay. Default: 10 minutes. */
  readonly longestMs?: number;
  /** Maximum number of tracked items; the oldest is dropped first, and is then due at once. Default: 1,000. */
  readonly maxKeys?: number;
}

interface Rest {
  readonly failures: number;
  readonly untilMs: number;
}

/** Tracks which items of a sweep failed and when each may be retried, so that they do not block other items. */
export class RetryLater<Key> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #maxKeys: number;
  readonly #rests = new Map<Key, Rest>();

  constructor({ clock, firstMs = 5_000, longestMs = 600_000, maxKeys = 1_000 }: RetryLaterOptions) {
    this.#clock = clock;
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#maxKeys = maxKeys;
  }

  /** Items that are not due: a query excludes them, so that they do not use up its limit. */
  get resting(): readonly Key[] {
    const nowMs = this.#clock.now();
    return [...this.#rests].filter(([, { untilMs }]) => untilMs > nowMs).map(([key]) => key);
  }

  /** Whether the item is due. */
  isDue(key: Key): boolean {
    return (this.#rests.get(key)?.untilMs ?? 0) <= this.#clock.now();
  }

  noteFailure(key: Key): void {
    const failures = (this.#rests.get(key)?.failures ?? 0) + 1;
    const restMs = Math.min(this.#firstMs * 2 ** (failures - 1), this.#longestMs);
    // Deleted first, so that the map stays in order of the last failure.
    this.#rests.delete(key);
    this.#rests.set(key, { failures, untilMs: this.#clock.now() + restMs });
    const [oldest] = this.#rests.keys();
    if (this.#rests.size > this.#maxKeys && oldest !== undefined) this.#rests.delete(oldest);
  }

  noteSuccess(key: Key): void {
    this.#rests.delete(key);
  }
}
