import { type TakeTurn, takeTurns } from '../../kit/http/index.ts';

/**
 * A queue of requests for visitors' stored data, which run one at a time: each makes several statements, and a download
 * buffers pieces of about 100 kB. Slots per caller are limited, so that one caller's flood delays others by those slots
 * only.
 */
export class VisitorDataQueue {
  readonly takeTurn: TakeTurn = takeTurns();
  readonly #placesEach: number;
  readonly #taken = new Map<string, number>();

  constructor(placesEach: number) {
    this.#placesEach = placesEach;
  }

  /** Runs `work` when its turn comes. Resolves with `null` immediately when the caller has no slot left. */
  async wait<T>(caller: string, work: () => Promise<T>): Promise<T | null> {
    const taken = this.#taken.get(caller) ?? 0;
    if (taken >= this.#placesEach) return null;
    this.#taken.set(caller, taken + 1);
    try {
      return await this.takeTurn(work);
    } finally {
      const left = (this.#taken.get(caller) ?? 1) - 1;
      if (left === 0) this.#taken.delete(caller);
      else this.#taken.set(caller, left);
    }
  }
}
