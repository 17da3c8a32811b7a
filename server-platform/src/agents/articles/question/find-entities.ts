import type { Entities } from '../../agent.ts';

// Bounds the cost of any message; long ones name their topic at the beginning.
const MAX_CHARACTERS = 2_000;
const MAX_PER_KIND = 10;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

const DATES: readonly RegExp[] = [
  /\b(?<year>\d{4})-(?<number>\d{1,2})-(?<day>\d{1,2})\b/gi,
  // Day before month, as everywhere that writes dots, and in the articles' own English.
  /\b(?<day>\d{1,2})[./](?<number>\d{1,2})[./](?<year>\d{4})\b/gi,
  new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b(?:,? (?<year>\\d{4})\\b)?`, 'gi'),
  new RegExp(`\\b${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (?<year>\\d{4})\\b)?`, 'gi'),
];
const DAYS =
  /\b(?:today|tonight|tomorrow|(?:(?:this|next) )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend))\b/gi;

const TIMES: readonly RegExp[] = [
  /\b(?<hour>1[0-2]|0?[1-9])(?:[:.](?<minute>[0-5]\d))? ?(?<half>[ap])\.?m\b/gi,
  /\b(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)\b(?! ?[ap]\.?m)/gi,
  /\b(?<word>noon|midday|midnight)\b/gi,
];

// Two to four letters and digits after them, or six capitals and digits mixed. Capitals only: words are not references.
const REFERENCE = /\b(?:[A-Z]{2,4}-?\d{4,8}|(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{6})\b/g;

/**
 * Finds facts in what a visitor wrote: `date` (`2026-12-24`; `--12-24` without a year; a day's name as written), `time`
 * (`14:30`), `route` (`Port Hallan - Tarrow`, between two of `places`) and `booking_reference`.
 */
export function findEntities(text: string, places: readonly string[]): Entities {
  const said = text.slice(0, MAX_CHARACTERS);
  return listed({
    date: [...DATES.flatMap((pattern) => matches(said, pattern, readDate)), ...matches(said, DAYS, readDay)],
    time: TIMES.flatMap((pattern) => matches(said, pattern, readTime)),
    route: findRoutes(said, places),
    booking_reference: matches(said, REFERENCE, ([found]) => found),
  });
}

function matches(
  text: string,
  pattern: RegExp,
  read: (match: RegExpMatchArray) => string | null,
): readonly string[] {
  return [...text.matchAll(pattern)].flatMap((match) => read(match) ?? []);
}

function readDate({ groups = {} }: RegExpMatchArray): string | null {
  const { year, month, day } = groups;
  const number =
    month === undefined ? Number(groups['number']) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  // A leap year, so that the 29th of February is a day where no year is given.
  const date = new Date(Date.UTC(Number(year ?? 2024), number - 1, Number(day)));
  if (date.getUTCMonth() !== number - 1 || date.getUTCDate() !== Number(day)) return null;
  const iso = date.toISOString().slice(0, 10);
  return year === undefined ? `--${iso.slice(5)}` : iso;
}

function readDay([found]: RegExpMatchArray): string {
  return found.toLowerCase();
}

function readTime({ groups = {} }: RegExpMatchArray): string {
  const { hour, minute = '00', half, word } = groups;
  if (word !== undefined) return word.toLowerCase() === 'midnight' ? '00:00' : '12:00';
  const inHalf =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${String(inHalf).padStart(2, '0')}:${minute}`;
}

/** Places in the order in which they are named; two places connected by "to" or a dash are a route. */
function findRoutes(text: string, places: readonly string[]): readonly string[] {
  if (places.length < 2) return [];
  const byName = new Map(places.map((place) => [place.toLowerCase(), place]));
  const longestFirst = [...byName.keys()].sort((one, other) => other.length - one.length);
  const names = longestFirst.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const named = [...text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${names})(?![\\p{L}\\p{N}])`, 'giu'))];
  const nameOf = (match: RegExpMatchArray | undefined): string =>
    byName.get(match?.[0].toLowerCase() ?? '') ?? '';
  return named.slice(1).flatMap((to, index) => {
    const from = named[index];
    if (from === undefined) return [];
    const between = text.slice(from.index + from[0].length, to.index).toLowerCase();
    if (/^ *(?:to|-|–|—|→|->|and on to|over to) *$/.test(between)) return [`${nameOf(from)} - ${nameOf(to)}`];
    // "to Tarrow from Port Hallan"
    return /^ *from *$/.test(between) ? [`${nameOf(to)} - ${nameOf(from)}`] : [];
  });
}

function listed(found: Readonly<Record<string, readonly string[]>>): Entities {
  return Object.fromEntries(
    Object.entries(found).flatMap(([kind, values]) => {
      const all = [...new Set(values)].slice(0, MAX_PER_KIND);
      const [first] = all;
      return first === undefined ? [] : [[kind, all.length === 1 ? first : all]];
    }),
  );
}
