import { expect, it } from 'vitest';
import { isOpenAt, readOpeningHours } from '../../../src/protocol/index.ts';
import { readHours, writeHours } from './hours.ts';

it.each([
  ['Mo-Fr 09:00-17:00', 'Mo-Fr 09:00-17:00'],
  ['Mo-Fr 09:00-12:30, 13:30-17:00; Sa 10:00-14:00', 'Mo-Fr 09:00-12:30; Mo-Fr 13:30-17:00; Sa 10:00-14:00'],
  ['Fr-Mo 20:00-02:00', 'Mo,Fr-Su 20:00-02:00'],
  ['Mo,We 09:00-24:00', 'Mo,We 09:00-00:00'],
  ['24/7', 'Mo-Su 00:00-00:00'],
])('opening hours %j are read into rows, and mean the same when they are written again', (text, written) => {
  const rows = readHours(text);
  expect(writeHours(rows ?? [])).toBe(written);
  const halfHours = Array.from({ length: 336 }, (_, each) => Date.UTC(2026, 6, 13) + each * 1_800_000);
  const openIn = (hours: string) => halfHours.filter((atMs) => isOpenAt(readOpeningHours(hours), atMs));
  expect(openIn(written)).toEqual(openIn(text));
});

it.each(['weekdays', 'Mo-Su 09:00-17:00; Nov-Mar Mo-Fr 10:00-16:00', 'Mo-Fr 09:00-17:00; Dec 25 off'])(
  'opening hours stay a text where rows would lose a part of them: %s',
  (text) => {
    expect(readHours(text)).toBeNull();
  },
);

it('empty opening hours have no rows', () => {
  expect(readHours(' ')).toEqual([]);
});

it('a row of opening hours without a day or a time is not written', () => {
  const row = { days: [0], from: '09:00', to: '17:00' };
  expect(writeHours([{ ...row, days: [] }, { ...row, to: '' }, row])).toBe('Mo 09:00-17:00');
});
