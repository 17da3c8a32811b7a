import { foldText } from '../text/tokenize.ts';
import { type LocalTime, WEEKDAYS, weekdayOf } from './local-day.ts';
import { readNames } from './opening-hours.ts';

const AHEAD: readonly (readonly [words: RegExp, days: number])[] = [
  [/\bday after tomorrow\b/, 2],
  [/\btomorrow\b/, 1],
  [/\b(?:today|tonight|now)\b/, 0],
];

// Easter Monday is no Monday like others.
const HOLIDAY = /\b(?:good friday|easter|whit|holidays?|christmas|new years?)\b/;

const MAX_CHARACTERS = 300;

/**
 * The one day of the week that a question is about, 0 for Sunday: named, or counted from today. Null: none, several, or a
 * holiday.
 */
export function readWeekday(text: string, now: LocalTime): number | null {
  const said = foldText(text.slice(0, MAX_CHARACTERS));
  if (HOLIDAY.test(said)) return null;
  const named = readNames(
    said.replace(/[a-z]+/g, (word) => (/days?$/.test(word) ? word : '')),
    WEEKDAYS,
  );
  if (named.size > 0) return named.size === 1 ? ([...named][0] ?? null) : null;
  const ahead = AHEAD.find(([words]) => words.test(said));
  return ahead === undefined ? null : weekdayOf(now.day + ahead[1]);
}
