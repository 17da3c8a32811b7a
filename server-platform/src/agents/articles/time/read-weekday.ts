import { editDistance } from '../text/edit-distance.ts';
import { HOLIDAY } from '../text/holidays.ts';
import { spellOut } from '../text/spell-out.ts';
import { foldText } from '../text/tokenize.ts';
import { type LocalTime, WEEKDAYS, weekdayOf } from './local-day.ts';
import { readNames } from './read-names.ts';

const AHEAD: readonly (readonly [words: RegExp, days: number])[] = [
  [/\bday after tomorrow\b/, 2],
  [/\btomorrow\b/, 1],
  [/\b(?:today|tonight|now)\b/, 0],
];

const MAX_CHARACTERS = 300;

/** The days of the week that a text names, in full, by their first letters or with one slip. */
const readDays = (text: string): ReadonlySet<number> =>
  readNames(plain(text).replace(/[a-z]+/g, correctDay), 'weekday');

/** Whether a question is about a holiday, which is no day of the week like others. */
export const isHoliday = (text: string): boolean => HOLIDAY.test(plain(text));

/** Whether a question is about days: of the week, counted from today, or holidays. */
export const saysDay = (text: string): boolean =>
  isHoliday(text) || readDays(text).size > 0 || AHEAD.some(([words]) => words.test(plain(text)));

/**
 * The one day of the week that a question is about, 0 for Sunday: named, or counted from today. Null: none, several, or a
 * holiday.
 */
export function readWeekday(text: string, now: LocalTime): number | null {
  if (isHoliday(text)) return null;
  const named = readDays(text);
  if (named.size > 0) return named.size === 1 ? ([...named][0] ?? null) : null;
  const ahead = AHEAD.find(([words]) => words.test(plain(text)));
  return ahead === undefined ? null : weekdayOf(now.day + ahead[1]);
}

const plain = (text: string): string => spellOut(foldText(text.slice(0, MAX_CHARACTERS)));

// Shorter words turn into the name of a day too easily.
const MIN_LETTERS = 5;

/** The day that a misspelt word means, with one typing error; any other word unchanged. */
const correctDay = (word: string): string =>
  (word.length < MIN_LETTERS ? undefined : WEEKDAYS.find((day) => editDistance(word, day, 1) !== null)) ??
  word;
