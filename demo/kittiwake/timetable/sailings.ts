import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parse } from 'yaml';
import { type CalendarDay, dayOf, monthDayOf, parseClock, weekdayOf, yearOf } from './local-day.ts';

/** Sailings of a season: weekdays (0 for Sunday) and departures in minutes since midnight. */
interface Season {
  readonly days: ReadonlySet<number>;
  readonly times: readonly number[];
}

interface Exception {
  readonly isOn: (day: CalendarDay) => boolean;
  readonly none: boolean;
  readonly last: number | null;
  readonly extra: readonly number[];
}

/** One direction of a route. */
export interface Direction {
  readonly from: string;
  readonly to: string;
  /** Slug of the article with the whole timetable. */
  readonly article: string;
  readonly crossingMinutes: number;
  readonly summer: Season;
  readonly winter: Season;
  readonly exceptions: readonly Exception[];
}

/** The timetable of a company. */
export interface Sailings {
  readonly directions: readonly Direction[];
  /** Folded names by which visitors call a place, longest first. */
  readonly placeNames: readonly (readonly [name: string, place: string])[];
  readonly summer: { readonly from: string; readonly to: string };
  readonly closed: ReadonlySet<string>;
}

const monthDay = v.pipe(v.string(), v.regex(/^\d\d-\d\d$/));
const rangeSchema = v.strictObject({ from: monthDay, to: monthDay });
const seasonSchema = v.strictObject({ days: v.string(), times: v.string() });

const sailingsSchema = v.strictObject({
  seasons: v.strictObject({ summer: rangeSchema, winter: rangeSchema }),
  closed: v.string(),
  directions: v.array(
    v.strictObject({
      from: v.string(),
      to: v.string(),
      article: v.string(),
      minutes: v.number(),
      summer: seasonSchema,
      winter: seasonSchema,
      exceptions: v.optional(
        v.array(
          v.strictObject({
            on: v.optional(v.string()),
            from: v.optional(monthDay),
            to: v.optional(monthDay),
            weekend: v.optional(v.number()),
            month: v.optional(v.number()),
            none: v.optional(v.boolean(), false),
            last: v.optional(v.string()),
            extra: v.optional(v.string()),
          }),
        ),
        [],
      ),
    }),
  ),
  places: v.record(v.string(), v.string()),
});

type ExceptionEntry = v.InferOutput<typeof sailingsSchema>['directions'][number]['exceptions'][number];

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const listOf = (text: string | undefined): readonly string[] => (text ?? '').split(' ').filter(Boolean);

const readSeason = ({ days, times }: v.InferOutput<typeof seasonSchema>): Season => ({
  days: new Set(days === 'daily' ? WEEKDAYS.keys() : listOf(days).map((name) => WEEKDAYS.indexOf(name))),
  times: listOf(times).map(parseClock),
});

function readException({ on, from, to, weekend, month, none, last, extra }: ExceptionEntry): Exception {
  const dates = new Set(listOf(on));
  const isOn = (day: CalendarDay): boolean => {
    const date = monthDayOf(day);
    if (weekend !== undefined && month !== undefined) return isWeekend(day, weekend, month);
    return dates.has(date) || (from !== undefined && to !== undefined && date >= from && date <= to);
  };
  const lastMinutes = last === undefined ? null : parseClock(last);
  return { isOn, none, last: lastMinutes, extra: listOf(extra).map(parseClock) };
}

/** Friday and Saturday of the weekend with the month's n-th Saturday. */
function isWeekend(day: CalendarDay, count: number, month: number): boolean {
  const first = dayOf(yearOf(day), month, 1);
  const saturday = first + ((6 - weekdayOf(first) + 7) % 7) + (count - 1) * 7;
  return day === saturday || day === saturday - 1;
}

const FILE = new URL('./sailings.yaml', import.meta.url);

/** Reads the timetable, `sailings.yaml`. Throws when it is not valid. */
export function loadSailings(): Sailings {
  const source = readFileSync(FILE, 'utf8');
  const result = v.safeParse(sailingsSchema, parse(source));
  if (!result.success) {
    const problems = result.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`);
    throw new Error(`Correct ${FILE.pathname}: ${problems.join('. ')}.`);
  }
  const { seasons, closed, directions, places } = result.output;
  return {
    directions: directions.map(({ minutes, summer, winter, exceptions, ...each }) => ({
      ...each,
      crossingMinutes: minutes,
      summer: readSeason(summer),
      winter: readSeason(winter),
      exceptions: exceptions.map(readException),
    })),
    placeNames: Object.entries(places)
      .flatMap(([place, names]) => names.split('|').map((name) => [name, place] as const))
      .sort(([one], [other]) => other.length - one.length),
    summer: seasons.summer,
    closed: new Set(listOf(closed)),
  };
}

/** Whether the summer timetable is in force. */
export const isSummer = (sailings: Sailings, day: CalendarDay): boolean =>
  isDateInSummer(sailings, monthDayOf(day));

/** Whether the summer timetable is in force on a date of every year, such as `07-14`. */
export const isDateInSummer = ({ summer }: Sailings, monthDay: string): boolean =>
  monthDay >= summer.from && monthDay <= summer.to;

/** The departures of a day in minutes since midnight, in order. */
export function departuresOn(sailings: Sailings, direction: Direction, day: CalendarDay): readonly number[] {
  if (sailings.closed.has(monthDayOf(day))) return [];
  const season = isSummer(sailings, day) ? direction.summer : direction.winter;
  const exceptions = direction.exceptions.filter(({ isOn }) => isOn(day));
  if (exceptions.some(({ none }) => none)) return [];
  const regular = season.days.has(weekdayOf(day)) ? season.times : [];
  const all = [...regular, ...exceptions.flatMap(({ extra }) => extra)];
  return all
    .filter((time) => exceptions.every(({ last }) => last === null || time <= last))
    .sort((a, b) => a - b);
}

/** The direction between two places, if there is one without a change. */
export function findDirection(sailings: Sailings, from: string, to: string): Direction | null {
  return sailings.directions.find((each) => each.from === from && each.to === to) ?? null;
}
