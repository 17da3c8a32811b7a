import { findHoursChange, isOpenAt, type OpeningHours } from '../../../protocol/index.ts';

/** Whether the team is available, and when that changes; `null` for no change within a year. */
export interface Opening {
  readonly isOpen: boolean;
  readonly changesAtMs: number | null;
}

const MINUTE_MS = 60_000;

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
      `"hoursTimeZone" is ${JSON.stringify(timeZone)}, which is not a time zone. Write one such as Europe/Berlin.`,
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

/** Returns whether the team is available, by the clock of the company's time zone. */
export function selectOpening(
  hours: OpeningHours,
  zoneClock: (atMs: number) => number,
  nowMs: number,
): Opening {
  const shownMs = zoneClock(nowMs);
  const changeMs = findHoursChange(hours, shownMs);
  const isOpen = isOpenAt(hours, shownMs);
  if (changeMs === null) return { isOpen, changesAtMs: null };
  const guessMs = nowMs - (nowMs % MINUTE_MS) + changeMs - shownMs;
  // Corrects the guess if summer time begins or ends before the change. The time itself may not exist on that day.
  const atMs = guessMs - (zoneClock(guessMs) - changeMs);
  return { isOpen, changesAtMs: zoneClock(atMs) === changeMs ? atMs : guessMs };
}
