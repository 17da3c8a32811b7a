import { invalidArgument } from './invalid-argument.ts';

/** Query parameters in order; a name may stand several times. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/**
 * The address of a call: base, path with its parameters filled in, query. Every value is percent-encoded, a space
 * as `%20`, so that no id can reach another path; `.` and `..`, which no encoding protects, are refused.
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
  return `${base.replace(/\/+$/, '')}${filled}${search === '' ? '' : `?${search}`}`;
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
