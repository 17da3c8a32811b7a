import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { dayOf, formatTime } from './local-day.ts';
import { departuresOn, findDirection, loadSailings } from './sailings.ts';

const FOLDER = fileURLToPath(new URL('../../../server-platform/knowledge/kittiwake', import.meta.url));
const PAGE = fileURLToPath(new URL('../../site/timetable.html', import.meta.url));

const sailings = loadSailings();

const timesOn = (from: string, to: string, day: number): readonly string[] => {
  const direction = findDirection(sailings, from, to);
  return direction === null ? [] : departuresOn(sailings, direction, day).map(formatTime);
};

/** The cells of one table of the timetable page, column by column: departure, arrival, and the same back. */
function columnsOf(caption: string): readonly (readonly string[])[] {
  const page = readFileSync(PAGE, 'utf8');
  const table = page.slice(page.indexOf(`<span class="hidden">${caption}</span>`)).split('</table>')[0] ?? '';
  const rows = table
    .split('<tr>')
    .slice(2)
    .map((row) => [...row.matchAll(/<time>([\d:]+)<\/time>/g)].map(([, time = '']) => time));
  return [0, 1, 2, 3].map((column) => rows.map((row) => row[column] ?? ''));
}

// A Friday and a Saturday: all routes sail, each way, on one of them.
const SUMMER = [dayOf(2026, 7, 17), dayOf(2026, 7, 18)] as const;
const WINTER = [dayOf(2026, 11, 20), dayOf(2026, 11, 21)] as const;

describe.each([
  ['summer', SUMMER],
  ['winter', WINTER],
] as const)('the %s timetable', (season, [friday, saturday]) => {
  it.each([
    ['Port Hallan', 'Tarrow', 'Tarrow'],
    ['Port Hallan', 'Mewsay', 'Mewsay'],
    ['Mewsay', 'Lunnet', 'Lunnet'],
    ['Port Hallan', 'Farholm', 'Northwick'],
  ])("matches the site's timetable from %s to %s", (from, to, pier) => {
    const [out, arrivals, back] = columnsOf(`${from} and ${pier}, ${season}`);
    expect(timesOn(from, to, friday)).toEqual(out);
    expect(timesOn(to, from, saturday)).toEqual(back);
    const minutes = findDirection(sailings, from, to)?.crossingMinutes ?? 0;
    const [first = '00:00'] = timesOn(from, to, friday);
    const [hours = 0, rest = 0] = first.split(':').map(Number);
    expect(formatTime(hours * 60 + rest + minutes)).toBe(arrivals?.[0]);
  });
});

describe('the articles', () => {
  const read = (slug: string): string => readFileSync(`${FOLDER}/${slug}.md`, 'utf8');

  it.each(sailings.directions.map((direction) => [direction.from, direction.to, direction] as const))(
    'name every departure from %s to %s',
    (_, __, direction) => {
      const summer = read(direction.article);
      const winter = read('winter-timetable');
      for (const time of direction.summer.times) expect(summer).toContain(formatTime(time));
      for (const time of direction.winter.times) expect(winter).toContain(formatTime(time));
    },
  );
});

describe('a day that is different', () => {
  it.each([
    ['nothing sails on 25 December', 'Tarrow', dayOf(2026, 12, 25), []],
    [
      'the last ferries of 24 December are early',
      'Tarrow',
      dayOf(2026, 12, 24),
      ['06:15', '08:00', '09:45', '13:15', '16:45'],
    ],
    ['nothing sails to Farholm in the dock weeks', 'Farholm', dayOf(2027, 1, 15), []],
    ['the winter boat to Farholm sails on Mondays', 'Farholm', dayOf(2027, 1, 25), ['21:30']],
    ['and not on Tuesdays', 'Farholm', dayOf(2027, 1, 26), []],
  ])('%s', (_, to, day, times) => {
    expect(timesOn('Port Hallan', to, day)).toEqual(times);
  });

  it('the timetable has one more ferry on the folk weekend', () => {
    const isLate = (day: number): boolean => timesOn('Port Hallan', 'Tarrow', day).includes('22:00');
    const days = [6, 7, 8, 9].map((date) => isLate(dayOf(2026, 8, date)));
    expect(days).toEqual([false, true, true, false]);
  });
});
