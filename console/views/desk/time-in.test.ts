import { expect, it } from 'vitest';
import { timeIn } from './time-in.ts';

it('tells the time at the visitor, and nothing where the page names no time zone', () => {
  const noon = Date.UTC(2026, 0, 5, 12);
  expect(timeIn('Asia/Tokyo', noon)).toMatch(/Mon.*(21:00|9:00\sPM)/);
  expect(timeIn('Mars/Olympus', noon)).toBe('');
  expect(timeIn('', noon)).toBe('');
});
