import type { Clock } from '../kit/clock.ts';

/** How long failed items rest. */
export interface RetryLaterOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Rest after the first failure. It doubles with every further one. Default: 5 seconds. */
  readonly firstMs?: number;
  /** Longest rest. Default: 10 minutes. */
  readonly longestMs?: number;
  /** Items that are remembered; the oldest is forgotten first, and then tried at once. Default: 1,000. */
  readonly maxKeys?: number;
}

interface Rest {
  readonly failures: number;
  readonly untilMs: number;
}

/** Remembers which items of a sweep failed and when each may be tried again, so that they hold up no other item. */
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

  /** Items that rest now: a query leaves them out, so that they take no place of its limit. */
  get resting(): readonly Key[] {
    const nowMs = this.#clock.now();
    return [...this.#rests].filter(([, { untilMs }]) => untilMs > nowMs).map(([key]) => key);
  }

  /** Whether the item may be tried. */
  isDue(key: Key): boolean {
    return (this.#rests.get(key)?.untilMs ?? 0) <= this.#clock.now();
  }

  noteFailure(key: Key): void {
    const failures = (this.#rests.get(key)?.failures ?? 0) + 1;
    const restMs = Math.min(this.#firstMs * 2 ** (failures - 1), this.#longestMs);
    // Deleted first so that the map stays in the order of the last failure.
    this.#rests.delete(key);
    this.#rests.set(key, { failures, untilMs: this.#clock.now() + restMs });
    const [oldest] = this.#rests.keys();
    if (this.#rests.size > this.#maxKeys && oldest !== undefined) this.#rests.delete(oldest);
  }

  noteSuccess(key: Key): void {
    this.#rests.delete(key);
  }
}
