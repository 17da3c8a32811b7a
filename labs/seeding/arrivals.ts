import type { Chance } from './chance.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// Conversations per hour of the day, as a share of the busiest hour: quiet nights, a peak before noon, one at six.
const BY_HOUR = [
  0.06, 0.04, 0.03, 0.03, 0.05, 0.12, 0.28, 0.5, 0.78, 0.95, 1, 0.94, 0.8, 0.78, 0.82, 0.85, 0.88, 0.93, 0.9,
  0.72, 0.52, 0.36, 0.22, 0.12,
];
// From Sunday on.
const BY_DAY = [0.7, 1, 0.92, 0.9, 0.95, 1.1, 0.85];

/** When conversations begin: given a share of the whole, the time by which that share has begun. */
export type Arrivals = (share: number) => number;

/** Conversations spread over whole days up to `untilMs` as people write and call: by hour of the day and day of the week. */
export function createArrivals(days: number, untilMs: number): Arrivals {
  const sinceMs = untilMs - days * DAY_MS;
  const totals: number[] = [];
  let total = 0;
  for (let hour = 0; hour < days * 24; hour += 1) {
    const date = new Date(sinceMs + hour * HOUR_MS);
    total += (BY_HOUR[date.getUTCHours()] ?? 1) * (BY_DAY[date.getUTCDay()] ?? 1);
    totals.push(total);
  }
  return (share) => {
    const wanted = share * total;
    const hour = findFirst(totals, wanted);
    const before = totals[hour - 1] ?? 0;
    const within = (wanted - before) / ((totals[hour] ?? total) - before);
    return Math.floor(sinceMs + (hour + Math.min(within, 0.999_999)) * HOUR_MS);
  };
}

/** The time of the `index`-th of `count` conversations. Times ascend with the index. */
export function arrivalOf(arrivals: Arrivals, chance: Chance, index: number, count: number): number {
  return arrivals((index + chance.next()) / count);
}

/** Index of the first number that is greater. */
function findFirst(ascending: readonly number[], wanted: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}
