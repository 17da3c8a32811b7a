const ISO_TIME = /^(\d{4}-\d\d-\d\dT[\d:]{8})(?:[.,](\d+))?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Milliseconds since the epoch of an ISO 8601 text, null when it cannot be read.
 * Fractional seconds may have any number of digits; what is finer than a millisecond is cut off. A text
 * without an offset is UTC. Source: ENV-2, ENV-4.
 */
export function readTimestampMs(text: string): number | null {
  const [, seconds, fraction = '', offset = 'Z'] = ISO_TIME.exec(text) ?? [];
  if (seconds === undefined) return null;
  const wholeMs = Date.parse(`${seconds}${offset.toUpperCase()}`);
  return Number.isNaN(wholeMs) ? null : wholeMs + Number(fraction.slice(0, 3).padEnd(3, '0'));
}
