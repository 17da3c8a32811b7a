const ISO_TIME = /^(\d{4}-\d\d-\d\dT[\d:]{8})(?:[.,](\d+))?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Parses an ISO 8601 time into milliseconds since the epoch; `null` if it is invalid. Fractions of a second may have any
 * number of digits, and are cut after milliseconds. A time without an offset is UTC. Source: ENV-2, ENV-4.
 */
export function readTimestampMs(text: string): number | null {
  const [, seconds, fraction = '', offset = 'Z'] = ISO_TIME.exec(text) ?? [];
  // Not `Date.parse`, which MooTools and Datejs replace.
  const time = new Date(`${seconds}${offset.toUpperCase()}`);
  const atMs = time.getTime() + Math.trunc(Number(`0.${fraction}`) * 1_000);
  return Number.isNaN(atMs) ? null : atMs;
}
