import type { CalendarDay, LocalTime } from './local-day.ts';
import type { TimeQuestion } from './read-time-question.ts';
import { type Direction, departuresOn, findDirection, type Sailings } from './sailings.ts';

/** Departures of one day in minutes since midnight, as a question narrows them. */
export interface AskedDepartures {
  readonly isToday: boolean;
  readonly all: readonly number[];
  /** Departures in the part of the day that is asked for. */
  readonly wanted: readonly number[];
  /** Departures in `wanted` that have not left yet. */
  readonly left: readonly number[];
}

/** The departures that a question is about. */
export function askedDepartures(
  direction: Direction,
  { day, from, until, arriveBy }: TimeQuestion,
  sailings: Sailings,
  now: LocalTime,
): AskedDepartures {
  const isToday = day === now.day;
  const all = departuresOn(sailings, direction, day);
  const wanted = all.filter(
    (time) =>
      time >= from && time < until && (arriveBy === null || time + direction.crossingMinutes <= arriveBy),
  );
  return { isToday, all, wanted, left: isToday ? wanted.filter((time) => time > now.minutes) : wanted };
}

// Longer than any pause in a timetable.
const MAX_DAYS_AHEAD = 40;

/** Returns the first day after `day` for which `find` has a result, and that result. */
export function findLater<T>(
  day: CalendarDay,
  find: (day: CalendarDay) => T | undefined,
): { readonly day: CalendarDay; readonly found: T } | null {
  for (let next = day + 1; next <= day + MAX_DAYS_AHEAD; next += 1) {
    const found = find(next);
    if (found !== undefined) return { day: next, found };
  }
  return null;
}

/** Two ferries, one after the other. */
export interface Connection {
  readonly start: number;
  readonly change: number;
}

/** The two directions of a journey with a change; null when no place connects the ends. */
export function findChange(
  sailings: Sailings,
  route: { readonly from: string; readonly to: string },
): { readonly first: Direction; readonly second: Direction } | null {
  for (const first of sailings.directions) {
    const second = first.from === route.from ? findDirection(sailings, first.to, route.to) : null;
    if (second !== null) return { first, second };
  }
  return null;
}

/** The connections of a day that have not begun yet. */
export function connectionsOn(
  { first, second }: { readonly first: Direction; readonly second: Direction },
  day: CalendarDay,
  sailings: Sailings,
  now: LocalTime,
): readonly Connection[] {
  return departuresOn(sailings, second, day).flatMap((change) => {
    const start = departuresOn(sailings, first, day).findLast(
      (time) => time + first.crossingMinutes <= change,
    );
    return start === undefined || (day === now.day && start <= now.minutes) ? [] : [{ start, change }];
  });
}
