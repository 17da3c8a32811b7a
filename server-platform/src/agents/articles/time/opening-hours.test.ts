import { expect, it } from 'vitest';
import { dayOf } from './local-day.ts';
import { openOn, readOpeningHours } from './opening-hours.ts';

const DESK = 'every day 07:00–20:00, November to March 08:00–18:00, closed on 25 December and 1 January';
const FREIGHT = 'Monday to Friday 07:00–18:00, Saturday 08:00–12:00';
const QUAY = 'every day 05:30–11:00, November to March Tuesday, Thursday and Saturday 05:30–11:00';

it.each([
  [DESK, dayOf(2026, 7, 14), [420, 1200]],
  [DESK, dayOf(2026, 12, 10), [480, 1080]],
  [DESK, dayOf(2026, 12, 25), null],
  [FREIGHT, dayOf(2026, 7, 18), [480, 720]],
  [FREIGHT, dayOf(2026, 7, 19), null],
  [QUAY, dayOf(2026, 12, 10), [330, 660]],
  [QUAY, dayOf(2026, 12, 11), null],
  ['Mon–Fri 07:00–18:00, Sat 08:00–12:00', dayOf(2026, 7, 18), [480, 720]],
  ['day and night', dayOf(2026, 7, 14), [0, 1440]],
])('reads "%s" on day %i', (text, day, expected) => {
  const hours = readOpeningHours(text);
  if (hours === null) throw new Error('The hours were not understood.');
  const span = openOn(hours, day);
  expect(span === null ? null : [span.from, span.until]).toEqual(expected);
});

it('does not guess what it does not understand', () => {
  expect(readOpeningHours('most days, ask us')).toBeNull();
  expect(readOpeningHours('')).toBeNull();
  expect(readOpeningHours('every day 08:00–18:00, closed on Christmas Day')).toBeNull();
  expect(readOpeningHours('every day 18:00–02:00')).toBeNull();
});
