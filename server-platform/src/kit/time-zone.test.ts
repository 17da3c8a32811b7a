import { describe, expect, it } from 'vitest';
import { isTimeZone, listStarts } from './time-zone.ts';

describe('the name of a time zone', () => {
  it.each(['UTC', 'Europe/London', 'America/Argentina/Ushuaia', 'Etc/GMT+5', 'asia/kolkata'])(
    'accepts the time zone %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it.each(['+05:30', '-08', 'IST', 'EST', 'Europe/Atlantis', 'posix/Europe/London', '', 'Europe'])(
    'refuses the time zone "%s"',
    (name) => expect(isTimeZone(name)).toBe(false),
  );
});

describe('the starts of days and hours', () => {
  const starts = (step: 'hour' | 'day', from: string, to: string, zone: string) =>
    listStarts(step, Date.parse(from), Date.parse(to), zone).map((ms) => new Date(ms).toISOString());

  it('lists the starts of days and hours in a time zone', () => {
    expect(starts('day', '2026-07-01T12:00:00Z', '2026-07-03T00:00:00Z', 'Asia/Kolkata')).toEqual([
      '2026-06-30T18:30:00.000Z',
      '2026-07-01T18:30:00.000Z',
      '2026-07-02T18:30:00.000Z',
    ]);
    expect(starts('hour', '2026-07-01T12:00:00Z', '2026-07-01T13:31:00Z', 'Asia/Kolkata')).toEqual([
      '2026-07-01T11:30:00.000Z',
      '2026-07-01T12:30:00.000Z',
      '2026-07-01T13:30:00.000Z',
    ]);
  });

  it.each([
    [
      'of 23 hours',
      '2026-03-28T12:00:00Z',
      'Europe/Berlin',
      ['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00'],
    ],
    [
      'of 25 hours',
      '2026-10-24T12:00:00Z',
      'Europe/Berlin',
      ['2026-10-23T22:00', '2026-10-24T22:00', '2026-10-25T23:00'],
    ],
    [
      'that begin at one, as clocks go forward at midnight',
      '2026-04-23T12:00:00Z',
      'Africa/Cairo',
      ['2026-04-22T22:00', '2026-04-23T22:00', '2026-04-24T21:00'],
    ],
    [
      'whose midnight comes twice',
      '2026-10-31T12:00:00Z',
      'America/Havana',
      ['2026-10-31T04:00', '2026-11-01T04:00', '2026-11-02T05:00'],
    ],
  ])('lists the starts of days %s', (_, from, zone, expected) => {
    const to = new Date(Date.parse(from) + 2 * 86_400_000).toISOString();
    expect(starts('day', from, to, zone).map((start) => start.slice(0, 16))).toEqual(expected);
  });

  it('lists each hour once where clocks go back by one hour or by thirty minutes', () => {
    expect(starts('hour', '2026-10-25T00:30:00Z', '2026-10-25T03:00:00Z', 'Europe/Berlin')).toHaveLength(3);
    const lordHowe = starts('hour', '2026-04-04T13:30:00Z', '2026-04-04T17:00:00Z', 'Australia/Lord_Howe');
    expect(new Set(lordHowe).size).toBe(lordHowe.length);
  });
});
