import { describe, expect, it } from 'vitest';
import { findHoursChange, isOpenAt, readOpeningHours } from './opening-hours.ts';

/** Returns whether it is open at a time, and when that changes. */
const at = (text: string, time: string): readonly [boolean, string | null] => {
  const [hours, localMs] = [readOpeningHours(text), Date.parse(`${time}Z`)];
  const changesMs = findHoursChange(hours, localMs);
  return [
    isOpenAt(hours, localMs),
    changesMs === null ? null : new Date(changesMs).toISOString().slice(0, 16),
  ];
};

const WEEK = 'Mo-Fr 09:00-12:30, 13:30-17:00; Sa 10:00-14:00';
const DESK = 'Mo-Su 07:00-20:00; Nov-Mar Mo-Su 08:00-18:00; Dec 25, Jan 1 off';
const EXAMPLE =
  'Mo-Fr 09:00-12:30, 13:30-17:00; Sa 10:00-14:00; Nov-Mar Mo-Fr 10:00-16:00; Dec 25, Jan 1 off';
const ROOM = 'Mo-Su 09:00-17:30; Nov-Mar Fr-Mo 09:00-17:30';

describe('opening hours', () => {
  it.each([
    // 13 July 2026 is a Monday.
    [WEEK, '2026-07-13T08:59', false, '2026-07-13T09:00'],
    [WEEK, '2026-07-13T09:00', true, '2026-07-13T12:30'],
    [WEEK, '2026-07-13T12:30', false, '2026-07-13T13:30'],
    [WEEK, '2026-07-17T17:00', false, '2026-07-18T10:00'],
    [WEEK, '2026-07-18T14:00', false, '2026-07-20T09:00'],
    // Over midnight, and over the end of the week.
    ['Sa-Su 20:00-02:00', '2026-07-13T01:30', true, '2026-07-13T02:00'],
    ['Sa-Su 20:00-02:00', '2026-07-13T02:00', false, '2026-07-18T20:00'],
    ['Fr-Mo 10:00-12:00', '2026-07-14T11:00', false, '2026-07-17T10:00'],
    // A whole day from the morning.
    ['Mo 09:00-09:00', '2026-07-14T08:00', true, '2026-07-14T09:00'],
    // Spans that touch or overlap are one.
    ['Mo-We 00:00-24:00', '2026-07-13T12:00', true, '2026-07-16T00:00'],
    ['Mo 09:00-12:00; Mo-Tu 11:00-15:00', '2026-07-13T11:30', true, '2026-07-13T15:00'],
    ['24/7', '2026-07-13T12:00', true, null],
    ['24/7; Dec 25 off', '2026-12-25T12:00', false, '2026-12-26T00:00'],
    // Rules with months replace the rules of the whole year, on all days of those months.
    [DESK, '2026-10-31T19:00', true, '2026-10-31T20:00'],
    [DESK, '2026-11-01T19:00', false, '2026-11-02T08:00'],
    [DESK, '2026-03-31T18:00', false, '2026-04-01T07:00'],
    [ROOM, '2026-12-08T10:00', false, '2026-12-11T09:00'],
    [ROOM, '2026-07-14T10:00', true, '2026-07-14T17:30'],
    ['Jun,Aug Sa 10:00-12:00', '2026-08-29T12:00', false, '2027-06-05T10:00'],
    // Closed dates; a span that began the evening before continues.
    [DESK, '2026-12-25T10:00', false, '2026-12-26T08:00'],
    ['Mo-Su 20:00-02:00; Dec 25 off', '2026-12-25T01:00', true, '2026-12-25T02:00'],
    ['Mo-Su 20:00-02:00; Dec 25 off', '2026-12-25T02:00', false, '2026-12-26T20:00'],
    ['Mo-Su 09:00-17:00; Feb 29 off', '2028-02-29T10:00', false, '2028-03-01T09:00'],
  ])('evaluates the opening hours %s at %s', (text, time, isOpen, changesAt) => {
    expect(at(text, time)).toEqual([isOpen, changesAt]);
  });

  it.each([
    ['mo-fr 9:00-17:00', 'Mo-Fr 09:00-17:00'],
    ['Mon – Fri  09:00–17:00 ;', 'Mo-Fr 09:00-17:00'],
    ['09:00-17:00', 'Mo-Su 09:00-17:00'],
    ['Mon-Fri 09:00-12:00, 13:00-17:00, Sat 10:00-14:00', 'Mo-Fr 09:00-12:00, 13:00-17:00; Sa 10:00-14:00'],
    [
      'NOV-MAR Mo , We 09:00-12:00,13:00-17:00;DEC 25 , JAN 1 OFF',
      'Nov-Mar Mo,We 09:00-12:00, 13:00-17:00; Dec 25, Jan 1 off',
    ],
  ])('reads the opening hours %j like %j', (text, plain) => {
    expect(readOpeningHours(text)).toEqual(readOpeningHours(plain));
  });

  it.each([
    ['', ''],
    ['always', 'always'],
    ['Mo 09:00-17:00;'.repeat(70), 'Mo 09:00-17:00;'.repeat(4)],
    ['Mo-Fr', 'Mo-Fr'],
    ['Mo-Fr 9-17', 'Mo-Fr 9-17'],
    ['Mo-Fr 09:00-17:00; Sa 09:00-25:00', 'Sa 09:00-25:00'],
    ['Mo 24:00-25:00', 'Mo 24:00-25:00'],
    ['Xx 09:00-17:00', 'Xx 09:00-17:00'],
    ['M 09:00-17:00', 'M 09:00-17:00'],
    ['Mo-We-Fr 09:00-17:00', 'Mo-We-Fr 09:00-17:00'],
    ['Mo,, 09:00-17:00', 'Mo,, 09:00-17:00'],
    ['Ma Mo 09:00-17:00', 'Ma Mo 09:00-17:00'],
    ['Mo-Fr 09:00-17:60', 'Mo-Fr 09:00-17:60'],
    ['Mo 09:00-17:00 Sa', 'Mo 09:00-17:00 Sa'],
    ['Mo 09:00-17:00,', 'Mo 09:00-17:00,'],
    ['Mo-Fr 09:00-17:00; Feb 30 off', 'Feb 30 off'],
    ['Mo-Fr 09:00-17:00; Dec 0 off', 'Dec 0 off'],
    ['Mo-Fr 09:00-17:00; Sa off', 'Sa off'],
    ['Mo-Fr 09:00-17:00; Christmas off', 'Christmas off'],
    ['Dec 25 off', 'Dec 25 off'],
    // Common spellings elsewhere.
    ['daily 08:00-20:00', 'daily 08:00-20:00'],
    ['Monday to Friday 07:00–18:00', 'Monday to Friday 07:00–18:00'],
  ])('rejects invalid opening hours with the faulty part and an example: %j', (text, part) => {
    expect(() => readOpeningHours(text)).toThrow(
      new TypeError(
        `Opening hours with ${JSON.stringify(part)} cannot be read. Write them like this: ${EXAMPLE}`,
      ),
    );
  });

  it('shows a valid example for invalid opening hours', () => {
    expect(readOpeningHours(EXAMPLE).rules).toHaveLength(3);
  });
});
