const ISO_TIME = /^(\d{4}-\d\d-\d\dT[\d:]{8})(?:[.,](\d+))?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Milliseconds since the epoch of an ISO 8601 text, null when it cannot be read.
 * Fractional seconds may have any number of digits; what is finer than a millisecond is cut off. A text
 * without an offset is UTC. Source: ENV-2, ENV-4.
 */
export function readTimestampMs(text: string): number | null {
  const [, seconds, fraction = '', offset = 'Z'] = ISO_TIME.exec(text) ?? [];
  const atMs = Date.parse(`${seconds}${offset.toUpperCase()}`) + Math.trunc(Number(`0.${fraction}`) * 1_000);
  return Number.isNaN(atMs) ? null : atMs;
}
