import type { HoursRule, OpeningHours, OpenSpan } from 'natter/protocol';
import { cellsOf } from '../text/cells-of.ts';
import { foldText } from '../text/tokenize.ts';
import { toEnglish } from '../text/translate.ts';
import { readNames } from './read-names.ts';

// "9:30", "9.30", "9h30", "9時30分", "9 am", "9 Uhr"; between two of them stands a dash or a short word.
const TIME = '(\\d{1,2})(?:[:.h時点](\\d\\d)分?)?(?: ?(am|pm)| ?\\p{L}{1,3})?';
const SPAN = new RegExp(`^${TIME} ?(?:[-~〜]|\\p{L}{1,3}) ?${TIME}$`, 'u');
const MARKER = /^[-*] /;

// Seasons and holidays have no dates that a clock could be compared with.
const WITHOUT_DATES = /\b(?:summer|winter|spring|autumn|season|term|holidays?)\b/i;

/**
 * The hours in a table or a list by days of the week, by the head of their column. The head is empty where the columns
 * are months, and where there is only one. Null when any part is not understood.
 */
export function readHoursTable(block: string, language?: string): ReadonlyMap<string, OpeningHours> | null {
  const [heads = [], ...rows] = block.startsWith('|') ? rowsOfTable(block) : rowsOfList(block);
  const found = new Map<string, readonly HoursRule[]>();
  for (const [column, head] of heads.entries()) {
    const months = readNames(head, 'month', language);
    if (column === 0) continue;
    if (WITHOUT_DATES.test(toEnglish(head, language))) return null;
    const key = months.size > 0 || heads.length === 2 ? '' : head;
    for (const row of rows) {
      const days = readNames(row[0] ?? '', 'weekday', language);
      const cell = foldText(row[column] ?? '');
      if (days.size === 0 || !/\d/.test(cell)) continue;
      const span = readSpan(cell);
      if (span === null) return null;
      const rule = { days, months: months.size > 0 ? months : null, spans: [span] };
      found.set(key, [...(found.get(key) ?? []), rule]);
    }
  }
  if (found.size === 0) return null;
  return new Map([...found].map(([head, rules]) => [head, { rules, closed: new Set<string>() }]));
}

function rowsOfTable(block: string): readonly (readonly string[])[] {
  const [header = '', , ...rows] = block.split('\n');
  return [header, ...rows].map(cellsOf);
}

function rowsOfList(block: string): readonly (readonly string[])[] {
  const items = block.split('\n').flatMap((line) => {
    if (!MARKER.test(line)) return [];
    const item = line.replaceAll('**', '').slice(2);
    const end = item.search(/ \d/);
    return end <= 0 ? [] : [[item.slice(0, end).replace(/:$/, ''), item.slice(end + 1)]];
  });
  return [['', ''], ...items];
}

/** "08:30-18:00" or "9am to 5.30pm" in a folded text. */
function readSpan(text: string): OpenSpan | null {
  const [, ...parts] = SPAN.exec(text) ?? [];
  const fromMinute = minutesOf(parts.slice(0, 3));
  const toMinute = minutesOf(parts.slice(3));
  return fromMinute < toMinute ? { fromMinute, toMinute } : null;
}

const NOON = 12;

const minutesOf = ([hour, minute = '0', half]: readonly (string | undefined)[]): number =>
  ((half === undefined ? Number(hour) : Number(hour) % NOON) + (half === 'pm' ? NOON : 0)) * 60 +
  Number(minute);
