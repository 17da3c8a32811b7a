const CURSOR = /^(?:seq:)?([0-9]+)$/;

/**
 * Parses a `cursor` parameter into a sequence. An invalid one counts as 0, a full replay, and `isValid` is false so that the
 * platform can log it. A missing parameter is valid. Source: CUR-1, CUR-2.
 */
export function parseCursor(value: string | null): { readonly cursor: number; readonly isValid: boolean } {
  if (value === null) return { cursor: 0, isValid: true };
  // Without the m flag `$` matches only the very end, so a final line feed is invalid.
  const digits = CURSOR.exec(value)?.[1];
  const cursor = digits === undefined ? Number.NaN : Number(digits);
  return Number.isSafeInteger(cursor) ? { cursor, isValid: true } : { cursor: 0, isValid: false };
}

/** Returns the `cursor` parameter for the highest sequence received; `null` means no parameter. Source: CUR-1. */
export function writeCursor(highestSequence: number): string | null {
  return highestSequence > 0 ? String(highestSequence) : null;
}
