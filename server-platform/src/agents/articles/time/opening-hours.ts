import { type CalendarDay, MONTHS, monthDayOf, parseClock, WEEKDAYS, weekdayOf } from './local-day.ts';

/** When a desk is open on one day, in minutes since midnight. */
export interface OpenSpan {
  readonly from: number;
  readonly until: number;
}

interface Rule extends OpenSpan {
  readonly days: ReadonlySet<number>;
  /** Null: the whole year. */
  readonly months: ReadonlySet<number> | null;
}

/** Hours that were written for people, in a form that a clock can be compared with. */
export interface OpeningHours {
  readonly rules: readonly Rule[];
  readonly closed: ReadonlySet<string>;
}

const SPAN = /^(.*?) ?(\d\d:\d\d)(?: to |–)(\d\d:\d\d)$/;
const CLOSED = /^closed on (.+)$/;
const EVERY_DAY: ReadonlySet<number> = new Set(WEEKDAYS.keys());

/**
 * Reads hours such as "every day 07:00–20:00, November to March 08:00–18:00, closed on 25 December and 1 January"; the
 * hours of a month go before those of the whole year. Null when any part is not understood, and for hours over midnight.
 */
export function readOpeningHours(text: string): OpeningHours | null {
  if (text === 'day and night')
    return { rules: [{ days: EVERY_DAY, months: null, from: 0, until: 1_440 }], closed: new Set() };
  const rules: Rule[] = [];
  const closed = new Set<string>();
  for (const part of text.toLowerCase().split(/(?<=\d\d:\d\d), /)) {
    const dates = CLOSED.exec(part)?.[1];
    if (dates !== undefined) {
      for (const each of dates.split(' and ')) {
        const date = readDate(each);
        if (date === null) return null;
        closed.add(date);
      }
      continue;
    }
    const [, when, from, until] = SPAN.exec(part) ?? [];
    if (when === undefined || from === undefined || until === undefined) return null;
    const span = { from: parseClock(from), until: parseClock(until) };
    if (span.until <= span.from) return null;
    const days = readNames(when, WEEKDAYS);
    const months = readNames(when, MONTHS);
    if (days.size === 0 && months.size === 0 && when !== 'every day') return null;
    rules.push({
      days: days.size === 0 ? EVERY_DAY : days,
      months: months.size === 0 ? null : months,
      ...span,
    });
  }
  return { rules, closed };
}

/** When a desk is open on a day; null when it stays closed. */
export function openOn({ rules, closed }: OpeningHours, day: CalendarDay): OpenSpan | null {
  const date = monthDayOf(day);
  if (closed.has(date)) return null;
  const month = Number(date.slice(0, 2)) - 1;
  const ofMonth = rules.filter(({ months }) => months?.has(month) === true);
  const holding = ofMonth.length > 0 ? ofMonth : rules.filter(({ months }) => months === null);
  return holding.find(({ days }) => days.has(weekdayOf(day))) ?? null;
}

/** "Friday to Monday", "Mon–Fri" and "Tuesday, Thursday and Saturday" as places in the list of names. */
export function readNames(text: string, names: readonly string[]): ReadonlySet<number> {
  const said = [...text.matchAll(/[a-z]+/g)].flatMap(({ 0: word, index }) => {
    const place = names.findIndex((name) => isName(word, name));
    return place === -1 ? [] : [{ place, index, end: index + word.length }];
  });
  const [first, last] = said;
  const isRange = last !== undefined && said.length === 2 && RANGE.test(text.slice(first?.end, last.index));
  if (first === undefined || !isRange) return new Set(said.map(({ place }) => place));
  const count = ((last.place - first.place + names.length) % names.length) + 1;
  return new Set(Array.from({ length: count }, (_, step) => (first.place + step) % names.length));
}

const RANGE = /^\s*(?:to|[-–])\s*$/;

const MIN_LETTERS = 3;

/** Whether a word is a name, its plural or its beginning. */
const isName = (word: string, name: string): boolean =>
  word === `${name}s` || (word.length >= MIN_LETTERS && name.startsWith(word));

/** `12-25` for "25 december"; null for anything else. */
function readDate(text: string): string | null {
  const [, date = '', name = ''] = /^(\d{1,2}) ([a-z]+)$/.exec(text) ?? [];
  const month = MONTHS.indexOf(name) + 1;
  return month === 0 ? null : `${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`;
}
