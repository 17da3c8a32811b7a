/** Opening hours of a day, in minutes since midnight. The end may be on the next day, at most 24 hours later. */
export interface OpenSpan {
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** The same hours on some days: of the week from 0, Sunday; of the year from 0, January. */
export interface HoursRule {
  readonly days: ReadonlySet<number>;
  /** `null` for all months that no other rule names. */
  readonly months: ReadonlySet<number> | null;
  readonly spans: readonly OpenSpan[];
}

/** When a company, a desk or a queue is open. */
export interface OpeningHours {
  readonly rules: readonly HoursRule[];
  /** Dates on which it is closed, such as `12-25`. */
  readonly closed: ReadonlySet<string>;
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
/** From any day, the same date of the next year. */
const MAX_DAYS_AHEAD = 366;
/** Longer texts are not hours. */
const MAX_CHARACTERS = 1_000;
/** A semicolon, or a comma between a time and the days of the next rule. */
const NEXT_RULE = /;|(?<=:\d\d\s*),(?=\s*[a-z])/i;
const EXAMPLE =
  'Mo-Fr 09:00-12:30, 13:30-17:00; Sa 10:00-14:00; Nov-Mar Mo-Fr 10:00-16:00; Dec 25, Jan 1 off';

/**
 * Reads opening hours such as `Mo-Fr 09:00-12:30, 13:30-17:00; Nov-Mar Mo-Fr 10:00-16:00; Dec 25, Jan 1 off`, or `24/7`: in
 * the notation of OpenStreetMap's `opening_hours`. A span that ends at or before its start continues into the next day. Throws a
 * `TypeError` that names the faulty part and shows an example.
 */
export function readOpeningHours(text: string): OpeningHours {
  if (text.length > MAX_CHARACTERS) refuse(text);
  const rules: HoursRule[] = [];
  const closed = new Set<string>();
  for (const part of text.split(NEXT_RULE).filter((each) => each.trim() !== '')) {
    const plain = part
      .trim()
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/ ?[-–] ?/g, '-')
      .replace(/ ?, ?/g, ',');
    if (plain.endsWith(' off'))
      for (const date of plain.slice(0, -' off'.length).split(','))
        closed.add(readDate(date) ?? refuse(part));
    else rules.push(readRule(plain) ?? refuse(part));
  }
  return rules.length === 0 ? refuse(text) : { rules, closed };
}

function refuse(part: string): never {
  const named = JSON.stringify(part.trim().slice(0, 60));
  throw new TypeError(`Opening hours with ${named} cannot be read. Write them like this: ${EXAMPLE}`);
}

function readRule(part: string): HoursRule | null {
  const whole = part === '24/7' ? 'mo-su 00:00-24:00' : /^\d/.test(part) ? `mo-su ${part}` : part;
  const [, inMonths, onDays = '', times = ''] = /^(?:(\S+) )?(\S+) (\d\S*)$/.exec(whole) ?? [];
  const months = inMonths === undefined ? null : readNames(inMonths, MONTHS, 3);
  const days = readNames(onDays, DAYS, 2);
  const spans = times.split(',').flatMap((span) => readSpan(span) ?? []);
  const isRead = days.size > 0 && months?.size !== 0 && spans.length === times.split(',').length;
  return isRead ? { days, months, spans } : null;
}

/** Returns indices in a list of names; ranges may continue at its start. Empty if a name is unknown. */
function readNames(text: string, names: readonly string[], minLetters: number): ReadonlySet<number> {
  const ranges = text.split(',').map((range) => {
    const [first = -1, last = first, ...more] = range
      .split('-')
      .map((word) => (word.length < minLetters ? -1 : names.findIndex((name) => name.startsWith(word))));
    if (first < 0 || last < 0 || more.length > 0) return [];
    const count = ((last - first + names.length) % names.length) + 1;
    return names.map((_, step) => (first + step) % names.length).slice(0, count);
  });
  return new Set(ranges.every(({ length }) => length > 0) ? ranges.flat() : []);
}

function readSpan(text: string): OpenSpan | null {
  const found = /^(\d\d?):([0-5]\d)-(\d\d?):([0-5]\d)$/.exec(text);
  const [fromHour = 24, fromRest = 0, toHour = 25, toRest = 0] = found?.slice(1).map(Number) ?? [];
  const fromMinute = fromHour * 60 + fromRest;
  const toMinute = toHour * 60 + toRest;
  if (fromMinute >= DAY_MINUTES || toMinute > DAY_MINUTES) return null;
  return { fromMinute, toMinute: toMinute > fromMinute ? toMinute : toMinute + DAY_MINUTES };
}

/** Returns `12-25` for `dec 25`. */
function readDate(text: string): string | null {
  const [, name = '', day = ''] = /^([a-z]{3}) (\d\d?)$/.exec(text) ?? [];
  // A leap year, because 29 February is valid.
  const date = new Date(Date.UTC(2024, MONTHS.indexOf(name), Number(day)));
  return date.getUTCDate() === Number(day) && MONTHS[date.getUTCMonth()] === name ? monthDayOf(date) : null;
}

const monthDayOf = (date: Date): string => date.toISOString().slice(5, 10);

/** Returns the spans that begin on a day since 1970, in their order. */
function spansOn({ rules, closed }: OpeningHours, day: number): readonly OpenSpan[] {
  const date = new Date(day * DAY_MS);
  if (closed.has(monthDayOf(date))) return [];
  const ofMonth = rules.filter(({ months }) => months?.has(date.getUTCMonth()));
  return (ofMonth.length > 0 ? ofMonth : rules.filter(({ months }) => months === null))
    .filter(({ days }) => days.has(date.getUTCDay()))
    .flatMap(({ spans }) => spans)
    .toSorted((one, other) => one.fromMinute - other.fromMinute);
}

/** Returns true if it is open at a local time: the time of the company's clocks, as if it were UTC. */
export function isOpenAt(hours: OpeningHours, localMs: number): boolean {
  const today = Math.floor(localMs / DAY_MS);
  return [today - 1, today].some((day) => {
    const minute = (localMs - day * DAY_MS) / MINUTE_MS;
    return spansOn(hours, day).some(({ fromMinute, toMinute }) => fromMinute <= minute && minute < toMinute);
  });
}

/** Returns when it next opens or closes, in local time; `null` if it does neither within a year. */
export function findHoursChange(hours: OpeningHours, localMs: number): number | null {
  const isOpen = isOpenAt(hours, localMs);
  const today = Math.floor(localMs / DAY_MS);
  for (let day = today - 1; day <= today + MAX_DAYS_AHEAD; day += 1)
    for (const { fromMinute, toMinute } of spansOn(hours, day)) {
      const edgeMs = day * DAY_MS + (isOpen ? toMinute : fromMinute) * MINUTE_MS;
      if (edgeMs > localMs && isOpenAt(hours, edgeMs) !== isOpen) return edgeMs;
    }
  return null;
}
