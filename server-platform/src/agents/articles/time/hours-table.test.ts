import { expect, it } from 'vitest';
import { readHoursTable } from './hours-table.ts';
import { dayOf } from './local-day.ts';
import { openOn } from './opening-hours.ts';

const MONDAY_IN_JULY = dayOf(2026, 7, 13);
const MONDAY_IN_JANUARY = dayOf(2026, 1, 12);
const TEN = 600;
const FIVE = 1_020;

it('reads columns of months as the hours of one place', () => {
  const hours = readHoursTable(`| Day | April–October | November–March |
|---|---|---|
| Monday | 10:00–17:00 | closed |
| Tue–Sat | 9–12 | 10:00 to 17:00 |`)?.get('');
  expect(hours === undefined ? null : openOn(hours, MONDAY_IN_JULY)).toMatchObject({
    from: TEN,
    until: FIVE,
  });
  expect(hours === undefined ? null : openOn(hours, MONDAY_IN_JANUARY)).toBeNull();
});

it('reads a list by days, and times with am and pm', () => {
  const hours = readHoursTable(
    '- **Mon to Fri:** 10am – 5pm\n- Saturday: 12.30pm-4pm\n- Sunday: closed',
  )?.get('');
  expect(hours === undefined ? null : openOn(hours, MONDAY_IN_JULY)).toMatchObject({
    from: TEN,
    until: FIVE,
  });
  expect(hours === undefined ? null : openOn(hours, MONDAY_IN_JULY + 5)).toMatchObject({
    from: 750,
    until: 960,
  });
});

it.each([
  ['| Day | Summer | Winter |\n|---|---|---|\n| Monday | 10:00–17:00 | closed |'],
  ['| Day | Open |\n|---|---|\n| Monday | 09:00–12:00, 14:00–18:00 |'],
  ['| Class | Price |\n|---|---|\n| Beginners | £10 |'],
  ['- 3 to 5 people: £20'],
])('gives up on what a clock cannot be compared with (%#)', (block) => {
  expect(readHoursTable(block)).toBeNull();
});
