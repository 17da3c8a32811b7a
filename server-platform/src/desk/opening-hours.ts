const DAYS: readonly string[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Open from one minute of the day to another, on some days of the week (0: Monday). */
export interface OpenSpan {
  readonly days: readonly number[];
  readonly fromMinute: number;
  readonly toMinute: number;
}

const PART = /^(?:([a-z]{3})(?:-([a-z]{3}))?|daily) (\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})$/i;

/**
 * Reads opening hours such as `Mon-Fri 09:00-17:00, Sat 10:00-14:00` or `daily 00:00-24:00`; null for anything else.
 * A span that ends before it begins goes past midnight.
 */
export function readOpeningHours(text: string): readonly OpenSpan[] | null {
  const spans = text.split(',').map((part) => readSpan(part.trim()));
  return spans.every((span) => span !== null) ? spans : null;
}

function readSpan(text: string): OpenSpan | null {
  const match = PART.exec(text);
  if (match === null) return null;
  const [, first, last, ...times] = match;
  const days = first === undefined ? [0, 1, 2, 3, 4, 5, 6] : daysFrom(first, last ?? first);
  const [fromHour = 0, fromMinutes = 0, toHour = 0, toMinutes = 0] = times.map(Number);
  const [fromMinute, toMinute] = [fromHour * 60 + fromMinutes, toHour * 60 + toMinutes];
  const isTime = fromMinutes < 60 && toMinutes < 60 && fromMinute < 1_440 && toMinute <= 1_440;
  return days === null || !isTime || fromMinute === toMinute ? null : { days, fromMinute, toMinute };
}

function daysFrom(first: string, last: string): readonly number[] | null {
  const [from, to] = [first, last].map((name) => DAYS.indexOf(name.toLowerCase()));
  if (from === undefined || to === undefined || from < 0 || to < 0) return null;
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => (from + index) % 7);
}

/** Whether it is open at a point in time, by the clock of a time zone. */
export function isOpenAt(spans: readonly OpenSpan[], timezone: string, atMs: number): boolean {
  const { day, minute } = wallClock(timezone, atMs);
  const before = (day + 6) % 7;
  return spans.some(({ days, fromMinute, toMinute }) => {
    if (fromMinute < toMinute) return days.includes(day) && minute >= fromMinute && minute < toMinute;
    return (days.includes(day) && minute >= fromMinute) || (days.includes(before) && minute < toMinute);
  });
}

function wallClock(timezone: string, atMs: number): { readonly day: number; readonly minute: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(atMs);
  const partOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return {
    day: DAYS.indexOf(partOf('weekday').toLowerCase()),
    minute: Number(partOf('hour')) * 60 + Number(partOf('minute')),
  };
}
