import { invalidArgument } from '../errors/natter-error.ts';

/** Query parameters in order; a name may stand several times. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/**
 * Builds the address of a call: base, path with its parameters, query. Every value is percent-encoded, a space as
 * `%20`, so that no id can reach another path; `.` and `..`, which encoding does not protect, are refused.
 * @throws NatterError `INVALID_ARGUMENT`
 */
export function buildUrl(
  base: string,
  path: string,
  pathValues: Readonly<Record<string, string>>,
  query: QueryPairs = [],
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, pathValues[name]));
  const search = query.map(([name, value]) => `${encode(name, name)}=${encode(name, value)}`).join('&');
  return `${base.replace(/(?<!\/)\/+$/, '')}${filled}${search === '' ? '' : `?${search}`}`;
}

function encodeSegment(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw invalidArgument(name, 'is required');
  if (value === '.' || value === '..') throw invalidArgument(name, 'is not an id');
  return encode(name, value);
}

function encode(name: string, value: string): string {
  if (/\p{Surrogate}/u.test(value)) throw invalidArgument(name, 'holds half of a surrogate pair');
  return encodeURIComponent(value);
}

/** A query parameter's value; undefined omits it. */
export type QueryValue = string | number | boolean | Date | readonly string[] | null | undefined;

/** Converts typed parameters to query pairs: dates in ISO 8601, lists as repeated parameters. */
export function encodeQuery(values: Readonly<Record<string, QueryValue>>): QueryPairs {
  return Object.entries(values).flatMap(([name, value]) => writeValue(name, value));
}

function writeValue(name: string, value: QueryValue): QueryPairs {
  if (value === undefined || value === null) return [];
  if (typeof value === 'object' && 'getTime' in value) {
    // An invalid date has no ISO form; as text it is refused like any other invalid time.
    return [[name, Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()]];
  }
  if (typeof value === 'object') return value.map((item) => [name, item] as const);
  return [[name, String(value)]];
}
