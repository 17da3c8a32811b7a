import type { Say } from '../intents/replies.ts';
import { formatTime, MONTHS, WEEKDAYS } from './local-day.ts';
import { type OpeningHours, readOpeningHours } from './opening-hours.ts';

/**
 * Hours that the company wrote in English, in the language of `say`; as they were written when that is English or they are
 * not understood.
 */
export function sayHours(text: string, say: Say): string {
  const hours = say.language === 'en' ? null : readOpeningHours(text);
  return hours === null ? text : describeHours(hours, say);
}

function describeHours({ rules, closed }: OpeningHours, say: Say): string {
  const dayName = nameIn(say.language, { weekday: 'long' });
  const monthName = nameIn(say.language, { month: 'long' });
  const dateName = nameIn(say.language, { day: 'numeric', month: 'long' });
  const spans = rules.map(({ days, months, from, until }) => {
    // 4 January 2026 is a Sunday.
    const day = nameRun(fromMonday(days), WEEKDAYS.length, (place) => dayName(Date.UTC(2026, 0, 4 + place)));
    const month = nameRun([...(months ?? [])], MONTHS.length, (place) => monthName(Date.UTC(2026, place)));
    const time = `${formatTime(from)}–${until === MIDNIGHT ? '24:00' : formatTime(until)}`;
    return [month, day, time].filter((part) => part !== '').join(' ');
  });
  const dates = [...closed].map((date) => dateName(Date.parse(`2024-${date}T00:00Z`)));
  return [...spans, ...(dates.length === 0 ? [] : [`${say('closed')}: ${dates.join(', ')}`])].join(', ');
}

const MIDNIGHT = 1_440;

function nameIn(language: string, parts: Intl.DateTimeFormatOptions): (timeMs: number) => string {
  // The figures of times of day are not translated either.
  const format = new Intl.DateTimeFormat(language, { ...parts, numberingSystem: 'latn', timeZone: 'UTC' });
  return (timeMs) => format.format(timeMs);
}

/** All days begin with Monday; others stay in the order in which they were written. */
const fromMonday = (days: ReadonlySet<number>): readonly number[] =>
  days.size === WEEKDAYS.length ? [1, 2, 3, 4, 5, 6, 0] : [...days];

/** Places that follow one another by the first and the last, others one by one. */
function nameRun(places: readonly number[], count: number, name: (place: number) => string): string {
  const isRun = places.every((place, at) => at === 0 || place === ((places[at - 1] ?? 0) + 1) % count);
  const [first = 0, last = first] = [places.at(0), places.at(-1)];
  return isRun && places.length > 2 ? `${name(first)}–${name(last)}` : places.map(name).join(', ');
}
