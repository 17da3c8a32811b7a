/** Numbers by chance that are the same for the same seeds. */
export interface Chance {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T;
  /** True with this probability. */
  isTrue(probability: number): boolean;
  /** One of the items, by their shares, which add up to 1. */
  weighted<T>(items: readonly (readonly [share: number, item: T])[]): T;
}

/** Makes a chance from two numbers, such as a run's seed and an item's index (mulberry32). */
export function createChance(seed: number, index: number): Chance {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new RangeError('There is nothing to pick from.');
    return item;
  };
  return {
    next,
    pick,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    isTrue: (probability) => next() < probability,
    weighted(items) {
      let left = next();
      for (const [share, item] of items) {
        left -= share;
        if (left < 0) return item;
      }
      return pick(items)[1];
    },
  };
}
