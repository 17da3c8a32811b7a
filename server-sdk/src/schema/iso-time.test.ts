import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTime } from '../index.ts';

describe('times', () => {
  it.each([
    ['2026-03-02T09:15:00Z', Date.UTC(2026, 2, 2, 9, 15)],
    ['2026-03-02T09:15:00', Date.UTC(2026, 2, 2, 9, 15)],
    ['2026-03-02 09:15', Date.UTC(2026, 2, 2, 9, 15)],
    ['2026-03-02', Date.UTC(2026, 2, 2)],
    ['2026-03-02T09:15:00+02:00', Date.UTC(2026, 2, 2, 7, 15)],
    ['2026-03-02T09:15:00-0930', Date.UTC(2026, 2, 2, 18, 45)],
    ['2026-03-02T09:15:00+02', Date.UTC(2026, 2, 2, 7, 15)],
    ['2026-03-02T09:15:00.1239Z', Date.UTC(2026, 2, 2, 9, 15, 0, 123)],
    ['2026-03-02t09:15:00,5z', Date.UTC(2026, 2, 2, 9, 15, 0, 500)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
  ])('reads the time %s (C-11)', (text, expected) => {
    expect(parseTime(text)).toBe(expected);
  });

  it.each([
    [''],
    ['now'],
    ['2026'],
    ['2026-03'],
    ['2026-02-29'],
    ['2026-13-01'],
    ['2026-00-10'],
    ['2026-03-00'],
    ['2026-03-02T24:00:00Z'],
    ['2026-03-02T09:60:00Z'],
    ['2026-03-02T09:15:60Z'],
    ['2026-03-02T09:15:00+25:00'],
    ['2026-03-02Z'],
    ['1772442900'],
    ['2026-03-02T09:15:00 02:00'],
    ['02.03.2026'],
  ])('refuses the time %s (C-11)', (text) => {
    expect(parseTime(text)).toBeNull();
  });

  it('reads back every time that a Date writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(parseTime(date.toISOString())).toBe(date.getTime());
        },
      ),
    );
  });
});
