import { expect, it } from 'vitest';
import { labelTimes } from './label-times.ts';

const at = (time: string): number => Date.parse(`${time}Z`) / 1_000;
const british = { locale: 'en-GB', timeZone: 'UTC' };

it('writes hours as the reader does, and the day below the first and where it changes', () => {
  const marks = [at('2026-11-26T16:00'), at('2026-11-26T20:00'), at('2026-11-27T00:00')];
  expect(labelTimes(marks, 14_400, british)).toEqual(['16:00\n26 Nov', '20:00', '00:00\n27 Nov']);
  const american = labelTimes(marks, 14_400, { locale: 'en-US', timeZone: 'UTC' });
  expect(american.map((text) => text.replace('\u202f', ' '))).toEqual([
    '4 PM\nNov 26',
    '8 PM',
    '12 AM\nNov 27',
  ]);
});

it('writes minutes and seconds only where marks differ in them', () => {
  const from = at('2026-11-27T06:45');
  expect(labelTimes([from, from + 300], 300, british)).toEqual(['06:45\n27 Nov', '06:50']);
  expect(labelTimes([from, from + 10], 10, british)).toEqual(['06:45:00\n27 Nov', '06:45:10']);
});

it('writes days alone where marks are days apart', () => {
  const marks = [at('2026-11-26T00:00'), at('2026-11-27T00:00')];
  expect(labelTimes(marks, 86_400, british)).toEqual(['26 Nov', '27 Nov']);
});

it('separates days by the time zone of the reader', () => {
  const marks = [at('2026-11-26T22:00'), at('2026-11-26T23:00')];
  const berlin = labelTimes(marks, 3_600, { locale: 'en-GB', timeZone: 'Europe/Berlin' });
  expect(berlin).toEqual(['23:00\n26 Nov', '00:00\n27 Nov']);
});
