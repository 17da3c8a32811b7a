const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Whether a text is a time zone name of the IANA database, such as `Europe/London`, or `UTC`. Offsets (`+05:30`) and
 * abbreviations (`IST`) are not, because programs interpret them differently.
 */
export function isTimeZone(name: string): boolean {
  if (name !== 'UTC' && !/^[a-z]\w*\//i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Lists the starts of hours or days in a time zone: from the last one at or before `fromMs` to the last one before
 * `toMs`.
 */
export function listStarts(
  step: 'hour' | 'day',
  fromMs: number,
  toMs: number,
  timeZone: string,
): readonly number[] {
  const startOf = step === 'hour' ? startOfHour : startOfDay;
  // From any time within an hour or day, this leads into the next one, even at a clock change.
  const strideMs = step === 'hour' ? HOUR_MS : 1.5 * DAY_MS;
  const starts = [];
  for (
    let startMs = startOf(fromMs, timeZone);
    startMs < toMs;
    startMs = startOf(startMs + strideMs, timeZone)
  )
    starts.push(startMs);
  return starts;
}

function startOfHour(atMs: number, timeZone: string): number {
  const local = toLocal(atMs, timeZone);
  return atMs - (local - Math.floor(local / HOUR_MS) * HOUR_MS);
}

/** First moment of a day: not midnight if clocks are set forward at midnight. */
function startOfDay(atMs: number, timeZone: string): number {
  const day = Math.floor(toLocal(atMs, timeZone) / DAY_MS);
  const midnight = day * DAY_MS;
  // The UTC offset before and after a clock change.
  const candidates = [atMs, midnight - DAY_MS, midnight + DAY_MS].map(
    (nearMs) => midnight - (toLocal(nearMs, timeZone) - nearMs),
  );
  return Math.min(...candidates.filter((ms) => Math.floor(toLocal(ms, timeZone) / DAY_MS) === day));
}

/** Local time, as milliseconds since 1970 in that zone. */
export function toLocal(atMs: number, timeZone: string): number {
  const shown = new Date(atMs).toLocaleString('sv-SE', { timeZone, hourCycle: 'h23' });
  return Date.parse(`${shown.replace(' ', 'T')}Z`) + (((atMs % 1_000) + 1_000) % 1_000);
}
