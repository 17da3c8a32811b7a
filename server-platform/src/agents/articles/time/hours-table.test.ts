import { findHoursChange } from 'natter/protocol';
import { expect, it } from 'vitest';
import { readHoursTable } from './hours-table.ts';

const MONDAY_IN_JULY_MS = Date.UTC(2026, 6, 13);
const MONDAY_IN_JANUARY_MS = Date.UTC(2026, 0, 12);
const DAY_MS = 86_400_000;

/** When the only place of a table opens and closes next, in hours since a day began. */
function nextOpening(block: string, dayMs: number): readonly (number | null)[] {
  const hours = readHoursTable(block)?.get('');
  const opensMs = hours === undefined ? null : findHoursChange(hours, dayMs);
  const closesMs = hours === undefined || opensMs === null ? null : findHoursChange(hours, opensMs);
  return [opensMs, closesMs].map((atMs) => (atMs === null ? null : (atMs - dayMs) / 3_600_000));
}

it('reads columns of months as the hours of one place', () => {
  const table = `| Day | April–October | November–March |
|---|---|---|
| Monday | 10:00–17:00 | closed |
| Tue–Sat | 9–12 | 10:00 to 17:00 |`;
  expect(nextOpening(table, MONDAY_IN_JULY_MS)).toEqual([10, 17]);
  expect(nextOpening(table, MONDAY_IN_JANUARY_MS)).toEqual([34, 41]);
});

it('reads a list by days, and times with am and pm', () => {
  const list = '- **Mon to Fri:** 10am – 5pm\n- Saturday: 12.30pm-4pm\n- Sunday: closed';
  expect(nextOpening(list, MONDAY_IN_JULY_MS)).toEqual([10, 17]);
  expect(nextOpening(list, MONDAY_IN_JULY_MS + 5 * DAY_MS)).toEqual([12.5, 16]);
});

it.each([
  ['| Day | Summer | Winter |\n|---|---|---|\n| Monday | 10:00–17:00 | closed |'],
  ['| Day | Open |\n|---|---|\n| Monday | 09:00–12:00, 14:00–18:00 |'],
  ['| Class | Price |\n|---|---|\n| Beginners | £10 |'],
  ['- 3 to 5 people: £20'],
])('gives up on what a clock cannot be compared with (%#)', (block) => {
  expect(readHoursTable(block)).toBeNull();
});
