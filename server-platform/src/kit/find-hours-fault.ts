import { readOpeningHours } from 'natter/protocol';

/** What is wrong with opening hours and how they are written; `null`: nothing. */
export function findHoursFault(text: string): string | null {
  try {
    readOpeningHours(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
