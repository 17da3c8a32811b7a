import { toLocal } from '../../../kit/time-zone.ts';

/** A day of the calendar, as the number of days since 1 January 1970. */
export type CalendarDay = number;

/** A moment as clocks and calendars of the company show it. */
export interface LocalTime {
  readonly day: CalendarDay;
  /** Minutes since midnight. */
  readonly minutes: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** English names in lower case, Sunday first. */
export const WEEKDAYS: readonly string[] = 'sunday monday tuesday wednesday thursday friday saturday'.split(
  ' ',
);

/** The local time in a time zone. */
export function localTimeAt(nowMs: number, timeZone: string): LocalTime {
  return fromLocalMs(toLocal(nowMs, timeZone));
}

/** A time that clocks show, from milliseconds since 1970 began on them. */
export function fromLocalMs(localMs: number): LocalTime {
  const day = Math.floor(localMs / DAY_MS);
  return { day, minutes: Math.floor((localMs - day * DAY_MS) / MINUTE_MS) };
}

/** The opposite of `fromLocalMs`. */
export const toLocalMs = ({ day, minutes }: LocalTime): number => day * DAY_MS + minutes * MINUTE_MS;

const asDate = (day: CalendarDay): Date => new Date(day * DAY_MS);

export const yearOf = (day: CalendarDay): number => asDate(day).getUTCFullYear();

/** 0 for Sunday. */
export const weekdayOf = (day: CalendarDay): number => asDate(day).getUTCDay();

/** "Saturday 18 July", or the same in another language. */
export const nameDay = (day: CalendarDay, language = 'en-GB'): string =>
  asDate(day)
    .toLocaleDateString(language, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
    .replace(',', '');

/** "today", "tomorrow" or "Saturday 18 July", or the same in another language. */
export function dayName(day: CalendarDay, now: LocalTime, language: string): string {
  const ahead = day - now.day;
  return ahead > 1
    ? nameDay(day, language === 'en' ? 'en-GB' : language)
    : new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(ahead, 'day');
}

/** `14:05` for 845 minutes; the next day's hours begin at 0 again. */
export function formatTime(minutes: number): string {
  const inDay = ((minutes % 1_440) + 1_440) % 1_440;
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
}
