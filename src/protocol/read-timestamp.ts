/** What every reader of dates understands: nearly all there is, and soon read. */
const USUAL = /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/;
const ISO_TIME = /^(\d{4}-\d\d-\d\dT[\d:]{8})(?:[.,](\d+))?(Z|[+-]\d\d:?\d\d)?$/i;

function parse(text: string): number {
  if (USUAL.test(text)) return Date.parse(text);
  const [, seconds, fraction = '', offset = 'Z'] = ISO_TIME.exec(text) ?? [];
  return Date.parse(`${seconds}${offset.toUpperCase()}`) + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/**
 * Milliseconds since the epoch of an ISO 8601 text, null when it cannot be read.
 * Fractional seconds may have any number of digits; what is finer than a millisecond is cut off. A text
 * without an offset is UTC. Source: ENV-2, ENV-4.
 */
export function readTimestampMs(text: string): number | null {
  const atMs = parse(text);
  return Number.isNaN(atMs) ? null : atMs;
}
