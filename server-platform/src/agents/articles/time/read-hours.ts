import { type OpeningHours, readOpeningHours } from 'natter/protocol';

/** Reads a contact's hours; null for words such as "by appointment", which are shown as written. */
export function readHours(text: string): OpeningHours | null {
  try {
    return readOpeningHours(text);
  } catch {
    return null;
  }
}
