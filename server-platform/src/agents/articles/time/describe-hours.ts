import type { Say } from '../intents/replies.ts';
import { formatTime } from './local-day.ts';
import { readHours } from './read-hours.ts';

/**
 * Opening hours for people, in the language of `say`, such as "Monday–Friday 09:00–17:00, closed: 25 December"; in any other
 * notation, the text itself.
 */
export function describeHours(text: string, say: Say): string {
  const hours = readHours(text);
  if (hours === null) return text;
  const { rules, closed } = hours;
  // "25 December", as in the agent's other sentences.
  const language = say.language === 'en' ? 'en-GB' : say.language;
  const dayName = nameIn(language, { weekday: 'long' });
  const monthName = nameIn(language, { month: 'long' });
  const dateName = nameIn(language, { day: 'numeric', month: 'long' });
  const list = new Intl.ListFormat(language);
  const listed = rules.map(({ days, months, spans }) => {
    // 4 January 2026 is a Sunday.
    const day =
      days.size === 7
        ? say('every_day')
        : nameRun([...days], 7, list, (place) => dayName(Date.UTC(2026, 0, 4 + place)));
    const month = nameRun([...(months ?? [])], 12, list, (place) => monthName(Date.UTC(2026, place)));
    const times = spans.map(
      ({ fromMinute, toMinute }) =>
        `${formatTime(fromMinute)}–${toMinute === MIDNIGHT ? '24:00' : formatTime(toMinute)}`,
    );
    const isAlways = days.size === 7 && times.join('') === '00:00–24:00';
    return [month, ...(isAlways ? [say('day_and_night')] : [day, list.format(times)])]
      .filter((part) => part !== '')
      .join(' ');
  });
  const dates = [...closed].map((date) => dateName(Date.parse(`2024-${date}T00:00Z`)));
  return [...listed, ...(dates.length === 0 ? [] : [`${say('closed')}: ${list.format(dates)}`])].join(', ');
}

const MIDNIGHT = 1_440;

function nameIn(language: string, parts: Intl.DateTimeFormatOptions): (timeMs: number) => string {
  // The figures of times of day are not translated either.
  const format = new Intl.DateTimeFormat(language, { ...parts, numberingSystem: 'latn', timeZone: 'UTC' });
  return (timeMs) => format.format(timeMs);
}

/** Places that follow one another by the first and the last, others one by one. */
function nameRun(
  places: readonly number[],
  count: number,
  list: Intl.ListFormat,
  name: (place: number) => string,
): string {
  const isRun = places.every((place, at) => at === 0 || place === ((places[at - 1] ?? 0) + 1) % count);
  const [first = 0, last = first] = [places.at(0), places.at(-1)];
  return isRun && places.length > 2 ? `${name(first)}–${name(last)}` : list.format(places.map(name));
}
