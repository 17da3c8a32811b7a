import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { selectSeason } from './select-season.ts';

const START = readFileSync(new URL('../site/index.html', import.meta.url), 'utf8');

it.each([
  ['2026-03-31T20:00:00Z', 'Winter', 'Summer'],
  ['2026-04-01T00:00:00Z', 'Summer', 'Winter'],
  ['2026-10-31T22:00:00Z', 'Summer', 'Winter'],
  ['2026-11-29T12:00:00Z', 'Winter', 'Summer'],
])('the start page shows the timetable of %s: %s', (at, season, other) => {
  const page = selectSeason(START, Date.parse(at));
  expect(page).toContain(`${season} timetable, `);
  expect(page).not.toContain(`${other} timetable, `);
  expect(page).toContain(`#${other.toLowerCase()}">${other} timetable</a>`);
  expect(page.match(/id="today"/g)).toHaveLength(1);
});
