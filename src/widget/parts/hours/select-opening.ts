import type { OpenSpan } from './parse-hours.ts';

/** Whether the team is there, and when that changes. */
export interface Opening {
  readonly isOpen: boolean;
  readonly changesAtMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEK_MINUTES = 10_080;
/** 1 January 2024 was a Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1);

/** Returns the clock of a time zone: for a timestamp, the local time there, as if it were UTC. Throws for an unknown zone. */
export function createZoneClock(timeZone: string | undefined): (atMs: number) => number {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  } catch {
    throw new TypeError(
      `"hoursTimeZone" is ${JSON.stringify(timeZone)}, which is no time zone. Write one such as Europe/Berlin.`,
    );
  }
  return (atMs) => {
    const parts = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute);
  };
}

/** Says whether a moment is in one of the spans, by the clock of the company's zone. */
export function selectOpening(
  spans: readonly OpenSpan[],
  zoneClock: (atMs: number) => number,
  nowMs: number,
): Opening {
  const shownMs = zoneClock(nowMs);
  const weekStartMs = shownMs - ((shownMs - MONDAY_MS) % (7 * DAY_MS));
  const minute = (shownMs - weekStartMs) / MINUTE_MS;
  const isIn = (at: number): boolean =>
    spans.some(({ fromMinute, toMinute }) => fromMinute <= at && at < toMinute);
  const isOpen = isIn(minute) || isIn(minute + WEEK_MINUTES);
  // In the week before, this one and the next, because a span may lie across the end of a week.
  const edges = [-WEEK_MINUTES, 0, WEEK_MINUTES].flatMap((shift) =>
    spans.map(({ fromMinute, toMinute }) => shift + (isOpen ? toMinute : fromMinute)),
  );
  const moments = edges.map((edge) => toMoment(zoneClock, weekStartMs + edge * MINUTE_MS));
  return { isOpen, changesAtMs: Math.min(...moments.filter((atMs) => atMs > nowMs)) };
}

/** The moment at which a zone's clock shows this; the second step is for a change of its summer time in between. */
function toMoment(zoneClock: (atMs: number) => number, shownMs: number): number {
  const guessMs = shownMs - (zoneClock(shownMs) - shownMs);
  return shownMs - (zoneClock(guessMs) - guessMs);
}
