import { parseHours } from '../../../src/widget/parts/hours/parse-hours.ts';

/** The same times on some days of the week, 0 for Monday; times as `09:00`, empty while they are being chosen. */
export interface HoursRow {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const DAY_MINUTES = 1_440;

function formatTime(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60) % 24, minute % 60];
  return [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Reads the text of `data-hours`. Null where it has a fault. */
export function readHours(text: string): readonly HoursRow[] | null {
  if (text.trim() === '') return [];
  try {
    const rows = new Map<string, HoursRow>();
    for (const { fromMinute, toMinute } of parseHours(text)) {
      const [from, to] = [formatTime(fromMinute), formatTime(toMinute)];
      const row = rows.get(`${from}-${to}`) ?? { days: [], from, to };
      rows.set(`${from}-${to}`, { ...row, days: [...row.days, Math.floor(fromMinute / DAY_MINUTES)] });
    }
    return [...rows.values()];
  } catch {
    // The fault is shown below the field.
    return null;
  }
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
