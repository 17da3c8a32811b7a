import { type TakeTurn, takeTurns } from '../../http/index.ts';

/**
 * The line in which calls about the data of visitors wait: each is several statements, each piece of an answer some 100 kB,
 * and of forty at once everybody would notice. Nobody has more than a few places in it, so that one who floods holds up
 * nobody else for long.
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
