const CURSOR = /^(?:seq:)?([0-9]+)$/;

/**
 * The sequence a `cursor` parameter names. Whatever does not follow the grammar counts as 0, a full replay,
 * and is not `isValid`, so that the platform can log it; an absent parameter is valid. Source: CUR-1, CUR-2.
 */
export function parseCursor(value: string | null): { readonly cursor: number; readonly isValid: boolean } {
  if (value === null) return { cursor: 0, isValid: true };
  // Without the m flag, $ in JavaScript matches only the very end: a final line feed does not pass.
  const digits = CURSOR.exec(value)?.[1];
  const cursor = digits === undefined ? Number.NaN : Number(digits);
  return Number.isSafeInteger(cursor) ? { cursor, isValid: true } : { cursor: 0, isValid: false };
}

/** The parameter a client sends for the highest sequence it has; null leaves it out. Source: CUR-1. */
export function writeCursor(highestSequence: number): string | null {
  return highestSequence > 0 ? String(highestSequence) : null;
}
