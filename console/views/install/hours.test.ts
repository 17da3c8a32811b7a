import { expect, it } from 'vitest';
import { parseHours } from '../../../src/widget/parts/hours/parse-hours.ts';
import { readHours, writeHours } from './hours.ts';

it.each([
  ['Mo-Fr 09:00-17:00', 'Mo-Fr 09:00-17:00'],
  ['Mo-Fr 09:00-12:30, 13:30-17:00; Sa 10:00-14:00', 'Mo-Fr 09:00-12:30; Mo-Fr 13:30-17:00; Sa 10:00-14:00'],
  ['Fr-Mo 20:00-02:00', 'Mo,Fr-Su 20:00-02:00'],
  ['Mo,We 09:00-24:00', 'Mo,We 09:00-00:00'],
])('opening hours %j are read into rows, and mean the same when they are written again', (text, written) => {
  const rows = readHours(text);
  expect(writeHours(rows ?? [])).toBe(written);
  const spansOf = (hours: string): readonly string[] =>
    parseHours(hours)
      .map(({ fromMinute, toMinute }) => `${fromMinute}-${toMinute}`)
      .toSorted();
  expect(spansOf(written)).toEqual(spansOf(text));
});

it('opening hours with a fault are not read, and no hours are no rows', () => {
  expect(readHours('weekdays')).toBeNull();
  expect(readHours(' ')).toEqual([]);
});

it('a row of opening hours without a day or a time is not written', () => {
  const row = { days: [0], from: '09:00', to: '17:00' };
  expect(writeHours([{ ...row, days: [] }, { ...row, to: '' }, row])).toBe('Mo 09:00-17:00');
});
