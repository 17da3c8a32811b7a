import { readOpeningHours } from 'natter/protocol';

/** Returns the fault in opening hours and how to write them; `null` if they are valid. */
export function findHoursFault(text: string): string | null {
  try {
    readOpeningHours(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
