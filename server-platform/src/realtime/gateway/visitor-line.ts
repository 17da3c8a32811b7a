import { type TakeTurn, takeTurns } from '../../kit/http/index.ts';

/**
 * A queue of calls about visitors' stored data, which run one at a time: each makes several statements, and each piece of a
 * download has some 100 kB. A caller has a limited number of places in the queue, so that one caller's flood delays the
 * others by those places only.
 */
export class VisitorLine {
  readonly takeTurn: TakeTurn = takeTurns();
  readonly #placesEach: number;
  readonly #taken = new Map<string, number>();

  constructor(placesEach: number) {
    this.#placesEach = placesEach;
  }

  /** Does the work when its turn has come. Resolves with `null` at once when the caller has no place left. */
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
