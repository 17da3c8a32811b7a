import { type OpeningHours, readOpeningHours } from '../../../src/protocol/index.ts';

/** The same times on some days of the week, 0 for Monday; times as `09:00`, empty while they are being chosen. */
export interface HoursRow {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

function formatTime(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60) % 24, minute % 60];
  return [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Reads the text of `data-hours`. Null where it has a fault, months or closed dates, which rows cannot show. */
export function readHours(text: string): readonly HoursRow[] | null {
  if (text.trim() === '') return [];
  let read: OpeningHours;
  try {
    read = readOpeningHours(text);
  } catch {
    // The fault is shown below the field.
    return null;
  }
  if (read.closed.size > 0 || read.rules.some(({ months }) => months !== null)) return null;
  const rows = new Map<string, HoursRow>();
  for (const { days, spans } of read.rules)
    for (const { fromMinute, toMinute } of spans) {
      const [from, to] = [formatTime(fromMinute), formatTime(toMinute)];
      const before = rows.get(`${from}-${to}`)?.days ?? [];
      // A week of the form begins with Monday.
      const more = [...days].map((day) => (day + 6) % 7);
      rows.set(`${from}-${to}`, { days: [...new Set([...before, ...more])], from, to });
    }
  return [...rows.values()];
}

/** Writes the text of `data-hours`. Rows without a day or a time are left out. */
export function writeHours(rows: readonly HoursRow[]): string {
  return rows
    .filter(({ days, from, to }) => days.length > 0 && from !== '' && to !== '')
    .map(({ days, from, to }) => `${writeDays(days)} ${from}-${to}`)
    .join('; ');
}

/** `Mo-We,Sa` for 0, 1, 2 and 5. */
function writeDays(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs
    .map((run) => [...new Set([run.at(0), run.at(-1)])].map((day) => DAYS[day ?? 0]).join('-'))
    .join(',');
}
