import {
  type CalendarDay,
  dayOf,
  type LocalTime,
  MONTHS,
  monthDayOf,
  WEEKDAYS,
  weekdayOf,
  yearOf,
} from './local-day.ts';
import { type Route, readRoute } from './read-route.ts';
import { readSeason } from './read-season.ts';
import { departuresOn, findDirection, isSummer, type Sailings } from './sailings.ts';

/** A question that the timetable and the clock answer. */
export interface TimeQuestion {
  /** `count` asks how many are left, `daily` how many there are a day. */
  readonly kind: 'next' | 'last' | 'first' | 'count' | 'daily' | 'at' | 'list';
  readonly route: Route | null;
  readonly day: CalendarDay;
  /** How many days from `day` on: 2 for a weekend. */
  readonly days: number;
  /** The clock time asked about, in minutes since midnight. */
  readonly at: number | null;
  /** Departures before `from` or from `until` on are not asked for. */
  readonly from: number;
  readonly until: number;
  /** The latest arrival that will do; null when none is asked for. */
  readonly arriveBy: number | null;
}

/** Context of the question from the conversation. */
export interface Remembered {
  /** The route asked about last. */
  readonly route: Route | null;
  /** Earlier messages of the visitor. */
  readonly words: string;
  /** True when the message is like no question about sailings but follows one: "and on Sunday?" */
  readonly isFollowUp: boolean;
}

const DAY_END = 1_440;
const MAX_CHARACTERS = 400;

const ASKS =
  /\b(?:next|last|first|earliest|latest|final|when|whens|what times?|which times?|how many|how often|timetable|times|schedule|departures|how long (?:until|till|before))\b/;
const ELLIPTIC = /^(?:and|or|what about|how about|but|ok|then|also|so|the)\b|^\S+(?: \S+){0,3}$/;

// "I need to be on Mewsay by noon", "get there before 10".
const ARRIVES = /\b(?:be|arrive|arriving|get there|there|get home|home)\b.{0,30}\b(?:by|before)\b/;

// "I need to be in Mewsay at 3", and not "at the ferry at 3".
const MUST_BE =
  /\b(?:need|needs|have|has|got|gotta|want|wants|must|due|supposed) (?:to )?(?:be|arrive)\b(?!.{0,20}\b(?:ferry|boat|ship|terminal|port|pier|quay)\b).{0,30}\b(?:at|for)\b/;

const NAMES_KIND =
  /\b(?:next|soonest|now|last|latest|final|first|earliest|how many|how long|how often|times|timetable|schedule|departures|all|after that|others?)\b|\d/;

const AFTER_THAT = /\b(?:after that|after this|the one after|following one|the others?|later ones?)\b/;

const NUMBER_WORDS = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const NUMBER_WORD = new RegExp(
  `(?<=\\b(?:at|past|half|to|before|after|by|around) )(?:${NUMBER_WORDS.join('|')})\\b|\\b(?:${NUMBER_WORDS.join('|')})(?= ?(?:am|pm|o clock|oclock)\\b)`,
  'g',
);

const FEASTS: readonly (readonly [pattern: RegExp, month: number, date: number])[] = [
  [/\b(?:christmas|xmas) eve\b/, 12, 24],
  [/\bboxing day\b/, 12, 26],
  [/\bnew years? eve\b/, 12, 31],
  [/\bnew years?(?: day)?\b/, 1, 1],
  [/\b(?:christmas|xmas)(?: day)?\b/, 12, 25],
];

/** Reads a question about sailings, or null when the timetable does not answer it. */
export function readTimeQuestion(
  text: string,
  sailings: Sailings,
  now: LocalTime,
  remembered: Remembered,
): TimeQuestion | null {
  const words = toPlainWords(text);
  const saidDay = readDay(words, now);
  // A month, or the other season, is a matter of the articles' timetables.
  const season = readSeason(words, sailings);
  const isNow = season === (isSummer(sailings, now.day) ? 'summer' : 'winter');
  if (season !== null && (saidDay === null ? !isNow || !SEASON.test(words) : SEASON.test(words))) return null;
  const time = readTime(words);
  const route = readRoute(words, sailings, remembered);
  const goesOn = remembered.route !== null && ELLIPTIC.test(words);
  const addsTo = AFTER_THAT.test(words) || saidDay !== null || time !== null || route?.isNamed === true;
  if (remembered.isFollowUp && !(goesOn && (addsTo || ASKS.test(words) || BACK.test(words)))) return null;
  const isRouteKept = route !== null && !route.isNamed;
  const keptDay =
    saidDay === null && (goesOn || isRouteKept) && !/\b(?:next|soonest|now)\b/.test(words)
      ? readDay(toPlainWords(remembered.words), now)
      : null;
  const day = saidDay ?? keptDay;
  const whole = { route, day: day ?? now.day, days: 1, at: null, from: 0, until: DAY_END, arriveBy: null };
  if (time !== null && isArrival(words, time)) {
    const named = /\b(?:last|latest|next|first|earliest)\b/.test(words);
    return { ...whole, kind: named ? readKind(words, null, true) : 'list', arriveBy: time.minutes };
  }
  const span = readSpan(words);
  if (span !== null) return { ...whole, kind: 'list', from: span[0], until: span[1] };
  if (/\b(?:the one after|following one)\b/.test(words))
    return { ...whole, kind: 'next', from: afterNext(route, whole.day, sailings, now) };
  const part = readPartOfDay(words);
  const earlier = goesOn ? readEarlierKind(words, remembered.words) : null;
  return {
    ...whole,
    kind: earlier ?? readKind(words, time, day !== null || part !== null),
    days: saidDay === null ? 1 : countDays(words, whole.day),
    at: time !== null && time.relation === 'at' ? time.minutes : null,
    from: Math.max(part?.[0] ?? 0, time?.relation === 'after' ? time.minutes : 0),
    until: Math.min(part?.[1] ?? DAY_END, time?.relation === 'before' ? time.minutes + 1 : DAY_END),
  };
}

const SEASON = /\b(?:summer|winter)/;

const BACK = /\b(?:back|return)\b/;

const toPlainWords = (text: string): string =>
  text
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9:.]+/g, ' ')
    .replace(NUMBER_WORD, (word) => String(NUMBER_WORDS.indexOf(word) + 1))
    .replace(/\bhalf (?=\d{1,2}\b)/g, 'half past ')
    .trim();

const isArrival = (words: string, { relation }: ClockTime): boolean =>
  (relation === 'before' && ARRIVES.test(words)) || (relation === 'at' && MUST_BE.test(words));

/** The minute after the next departure: "and the one after that?" */
function afterNext(route: Route | null, day: CalendarDay, sailings: Sailings, now: LocalTime): number {
  const direction = route === null ? null : findDirection(sailings, route.from, route.to);
  if (direction === null) return 0;
  const left = departuresOn(sailings, direction, day).filter((time) => day > now.day || time > now.minutes);
  return (left[0] ?? -1) + 1;
}

/** "When is the last ferry? And on Sunday?" asks for the last one again. */
function readEarlierKind(words: string, earlier: string): 'first' | 'last' | null {
  if (NAMES_KIND.test(words)) return null;
  const kept = /\b(first|earliest|last|latest|final)\b/.exec(earlier.toLowerCase())?.[1];
  if (kept === undefined) return null;
  return kept === 'first' || kept === 'earliest' ? 'first' : 'last';
}

function readKind(words: string, time: ClockTime | null, hasDay: boolean): TimeQuestion['kind'] {
  if (AFTER_THAT.test(words)) return 'list';
  if (/\b(?:last|latest|final)\b/.test(words)) return 'last';
  if (/\b(?:first|earliest)\b/.test(words)) return 'first';
  if (/\bhow many\b(?! (?:minutes|hours))/.test(words))
    return /\b(?:a|per|each|every) day\b|\bdaily\b/.test(words) ? 'daily' : 'count';
  if (time?.relation === 'at') return 'at';
  if (/\b(?:next|soonest|now|how long|how many (?:minutes|hours))\b/.test(words)) return 'next';
  if (
    hasDay ||
    time !== null ||
    /\b(?:times|timetable|schedule|departures|ferries|sailings|how often|boats)\b/.test(words)
  )
    return 'list';
  return 'next';
}

function readDay(words: string, now: LocalTime): CalendarDay | null {
  if (/\bday after tomorrow\b/.test(words)) return now.day + 2;
  if (/\btomorrow\b/.test(words)) return now.day + 1;
  if (/\b(?:today|tonight|this (?:morning|afternoon|evening)|now|later)\b/.test(words)) return now.day;
  for (const [pattern, month, date] of FEASTS)
    if (pattern.test(words)) return comingDay(month, date, now.day);
  // "Saturday 8 August": the date says which Saturday.
  const date = readDate(words, now.day);
  if (date !== null) return date;
  const weekday = WEEKDAYS.findIndex((name) =>
    new RegExp(`\\b(?:${name}s?|${name.slice(0, 3)}|${name.slice(0, 4)})\\b`).test(words),
  );
  if (weekday !== -1) {
    const ahead = (weekday - weekdayOf(now.day) + 7) % 7;
    return now.day + (ahead === 0 && words.includes(`next ${WEEKDAYS[weekday] ?? ''}`) ? 7 : ahead);
  }
  const isSunday = weekdayOf(now.day) === 0;
  if (/\bweekend\b/.test(words))
    return isSunday && !/\bnext\b/.test(words) ? now.day : now.day + ((6 - weekdayOf(now.day) + 7) % 7);
  if (/\bnext week\b/.test(words)) return now.day + (isSunday ? 1 : 8 - weekdayOf(now.day));
  return /\bthis week\b/.test(words) ? now.day : null;
}

/** Weekends and weeks end with their Sunday; on a Sunday the week to come is meant. */
function countDays(words: string, day: CalendarDay): number {
  const left = ((7 - weekdayOf(day)) % 7) + 1;
  if (/\bweekend\b/.test(words)) return left;
  return /\b(?:this|next) week\b/.test(words) ? (left === 1 ? 7 : left) : 1;
}

const DATE = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTHS.join('|')})\\b(?: (\\d{4}))?|\\b(${MONTHS.join('|')}) (\\d{1,2})(?:st|nd|rd|th)?\\b(?: (\\d{4}))?`,
);

/** A date with or without its year; without one the next such day is meant. */
function readDate(words: string, today: CalendarDay): CalendarDay | null {
  const found = DATE.exec(words);
  if (found === null) return null;
  const [, date = found[5], month = found[4], year = found[6]] = found;
  const number = MONTHS.indexOf(month ?? '') + 1;
  return year === undefined
    ? comingDay(number, Number(date), today)
    : dayOf(Number(year), number, Number(date));
}

function comingDay(month: number, date: number, today: CalendarDay): CalendarDay {
  const wanted = `${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
  return dayOf(yearOf(today) + (wanted < monthDayOf(today) ? 1 : 0), month, date);
}

interface ClockTime {
  readonly minutes: number;
  readonly relation: 'at' | 'after' | 'before';
}

const CLOCK =
  /(?:\b(?<relation>after|later than|past|from|before|by|until|till|earlier than|at|around|about|the) )?\b(?:(?<half>half past|quarter past|quarter to) )?(?<hour>\d{1,2})(?:[:.](?<minute>[0-5]\d))? ?(?<suffix>am|pm|a\.m|p\.m|o ?clock)?\b|\b(?:(?<relation2>after|before|by|at) )?(?<word>noon|midday|midnight)\b/g;

const OFFSETS: Readonly<Record<string, number>> = { 'half past': 30, 'quarter past': 15, 'quarter to': -15 };

function readTime(words: string): ClockTime | null {
  for (const { groups = {} } of words.matchAll(CLOCK)) {
    const relation = relationOf(groups['relation'] ?? groups['relation2']);
    if (groups['word'] !== undefined)
      return { minutes: groups['word'] === 'midnight' ? DAY_END - 1 : 720, relation };
    const hour = Number(groups['hour']);
    const isClock =
      groups['minute'] !== undefined ||
      groups['suffix'] !== undefined ||
      groups['half'] !== undefined ||
      /^(?:after|later than|past|before|by|until|till|earlier than|at|around|about)$/.test(
        groups['relation'] ?? '',
      );
    if (!isClock || hour > 24) continue;
    const suffix = groups['suffix']?.charAt(0);
    const isAfternoon =
      suffix === 'p' ||
      (suffix !== 'a' && hour >= 1 && hour <= 5) ||
      (suffix !== 'a' && hour < 12 && /\b(?:evening|tonight)\b/.test(words));
    const inDay = (hour % 12) + (isAfternoon || (hour >= 12 && suffix !== 'a') ? 12 : 0);
    const minutes =
      (hour > 12 ? hour : inDay) * 60 + Number(groups['minute'] ?? 0) + (OFFSETS[groups['half'] ?? ''] ?? 0);
    return { minutes, relation };
  }
  return null;
}

function relationOf(word: string | undefined): ClockTime['relation'] {
  if (/^(?:after|later than|past|from)$/.test(word ?? '')) return 'after';
  return /^(?:before|by|until|till|earlier than)$/.test(word ?? '') ? 'before' : 'at';
}

const SPAN =
  /\b(?:between|from) (\d{1,2})(?:[:.](\d\d))? ?(am|pm)? (?:and|to|till|until) (\d{1,2})(?:[:.](\d\d))? ?(am|pm)?\b/;

/** "Between 2 and 4": a part of the day by its clock times. */
function readSpan(words: string): readonly [from: number, until: number] | null {
  const found = SPAN.exec(words);
  if (found === null) return null;
  const [, hour, minute = '00', half, endHour, endMinute = '00', endHalf] = found;
  const toMinutes = (text: string, each = half ?? endHalf): number =>
    readTime(`at ${text} ${each ?? ''} ${words.includes('evening') ? 'evening' : ''}`)?.minutes ?? 0;
  const from = toMinutes(`${hour}:${minute}`);
  const until = toMinutes(`${endHour}:${endMinute}`, endHalf ?? half);
  return until > from ? [from, until + 1] : null;
}

function readPartOfDay(words: string): readonly [from: number, until: number] | null {
  if (/\bmorning\b/.test(words)) return [0, 720];
  if (/\bafternoon\b/.test(words)) return [720, 1_020];
  return /\b(?:evening|tonight)\b/.test(words) ? [1_020, DAY_END] : null;
}
