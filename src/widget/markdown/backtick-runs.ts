import type { ParseTally } from './block.ts';

/** Where the backtick runs of a text stand, by length; built once, so that no run is searched for twice. */
export class BacktickRuns {
  readonly #places = new Map<number, number[]>();
  readonly #tally: ParseTally;

  constructor(source: string, tally: ParseTally) {
    this.#tally = tally;
    tally.steps += source.length;
    for (const match of source.matchAll(/`+/g)) {
      const places = this.#places.get(match[0].length);
      if (places) places.push(match.index);
      else this.#places.set(match[0].length, [match.index]);
    }
    // Last first: the reader only moves forward, so used places are popped off the end.
    for (const places of this.#places.values()) places.reverse();
  }

  /** The first run of exactly `length` backticks at or after `from`, or -1. `from` must not go back. */
  find(length: number, from: number): number {
    const places = this.#places.get(length) ?? [];
    for (let place = places.at(-1); place !== undefined; place = places.at(-1)) {
      this.#tally.steps += 1;
      if (place >= from) return place;
      places.pop();
    }
    return -1;
  }
}
