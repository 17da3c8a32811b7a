import { expect, it } from 'vitest';
import { timeIn } from './time-in.ts';

it("gives the visitor's local time, and nothing where the page names no time zone", () => {
  const noon = Date.UTC(2026, 0, 5, 12);
  // The weekday's name depends on the machine's language.
  const monday = new Date(noon).toLocaleDateString([], { weekday: 'short', timeZone: 'Asia/Tokyo' });
  expect(timeIn('Asia/Tokyo', noon)).toContain(monday);
  expect(timeIn('Asia/Tokyo', noon)).toMatch(/21:00|9:00\sPM/);
  expect(timeIn('Mars/Olympus', noon)).toBe('');
  expect(timeIn('', noon)).toBe('');
});
