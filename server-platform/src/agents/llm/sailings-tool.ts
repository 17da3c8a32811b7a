import { formatTime, localTimeAt, nameDay } from '../knowledge/time/local-day.ts';
import { departuresOn, isSummer, type Sailings } from '../knowledge/time/sailings.ts';
import type { ToolDefinition } from './chat-protocol.ts';
import { defineTool } from './define-tool.ts';

/** Looks departures up in the timetable. */
export const SAILINGS_TOOL: ToolDefinition = defineTool(
  'sailings',
  'Departures of a day, with season and exceptions applied. Use it for every question about sailing times.',
  {
    from: { type: 'string', description: 'Place of departure; leave out for all.' },
    to: { type: 'string', description: 'Destination; leave out for all.' },
    date: { type: 'string', description: 'YYYY-MM-DD; leave out for today.' },
  },
);

const DATE = /^\d{4}-\d\d-\d\d$/;

/** The departures that a call asks for, as JSON. */
export function lookUpSailings(
  args: Readonly<Record<string, unknown>>,
  sailings: Sailings,
  nowMs: number,
  timeZone: string,
): string {
  const now = localTimeAt(nowMs, timeZone);
  const { from: start, to: end, date: wanted } = args;
  const date = String(wanted ?? '');
  const wantedMs = DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  const day = Number.isNaN(wantedMs) ? now.day : wantedMs / 86_400_000;
  const placeOf = (value: unknown): string | null => {
    const name = String(value ?? '').toLowerCase();
    return sailings.placeNames.find(([known]) => name.includes(known))?.[1] ?? null;
  };
  const [from, to] = [placeOf(start), placeOf(end)];
  return JSON.stringify({
    now: `${nameDay(now.day)}, ${formatTime(now.minutes)}`,
    day: nameDay(day),
    season: isSummer(sailings, day) ? 'summer' : 'winter',
    sailings: sailings.directions
      .filter((each) => (from === null || each.from === from) && (to === null || each.to === to))
      .map((each) => ({
        from: each.from,
        to: each.to,
        crossing_minutes: each.crossingMinutes,
        departures: departuresOn(sailings, each, day).map(formatTime),
      })),
  });
}
