import type { QueryPairs } from './build-url.ts';

/** A moment as callers may give it: ISO 8601 text, or a date. */
export type TimeInput = string | Date;

/** What a query parameter may be given as; undefined leaves it out. */
export type QueryValue = string | number | boolean | Date | readonly string[] | null | undefined;

/** Writes typed parameters as the pairs of a query: dates in ISO 8601, lists as repeated parameters. */
export function encodeQuery(values: Readonly<Record<string, QueryValue>>): QueryPairs {
  return Object.entries(values).flatMap(([name, value]) => writeValue(name, value));
}

function writeValue(name: string, value: QueryValue): QueryPairs {
  if (value === undefined || value === null) return [];
  if (typeof value === 'object' && 'getTime' in value) {
    // An invalid date has no ISO form; as text it is refused like any other time that cannot be read.
    return [[name, Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()]];
  }
  if (typeof value === 'object') return value.map((item) => [name, item] as const);
  return [[name, String(value)]];
}
