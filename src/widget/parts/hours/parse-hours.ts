/** A time of the week in which the team is there, in minutes from Monday, 00:00. The end may be in the next week. */
export interface OpenSpan {
  readonly fromMinute: number;
  readonly toMinute: number;
}

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const DAY_MINUTES = 1_440;
const EXAMPLE = 'Write them like this: Mo-Fr 09:00-12:30, 13:30-17:00; Sa 10:00-14:00.';

const refuse = (part: string): TypeError =>
  new TypeError(`"hours" has an invalid part: ${JSON.stringify(part.slice(0, 60))}. ${EXAMPLE}`);

/**
 * Reads business hours such as `Mo-Fr 09:00-17:00; Sa 10:00-14:00`: days as `Mo`, `Mo-Fr` or `Mo,We`, then one or more spans of
 * time. A span that ends at or before its start continues into the next day. Throws a `TypeError` that names the faulty part.
 */
export function parseHours(text: string): readonly OpenSpan[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part, index, parts) => part !== '' || parts.length === 1 || index < parts.length - 1)
    .flatMap(parsePart);
}

function parsePart(part: string): readonly OpenSpan[] {
  const [, days = '', spans = ''] = /^([A-Z][a-z](?:\s*[-,]\s*[A-Z][a-z])*)\s+(\d.*)$/.exec(part) ?? [];
  if (!spans) throw refuse(part);
  const times = spans.split(',').map((span) => parseSpan(span, part));
  return parseDays(days, part).flatMap((day) =>
    times.map(({ fromMinute, toMinute }) => ({
      fromMinute: day * DAY_MINUTES + fromMinute,
      toMinute: day * DAY_MINUTES + toMinute,
    })),
  );
}

/** Days from 0, Monday. A range may go over the end of the week. */
function parseDays(text: string, part: string): readonly number[] {
  return text.split(',').flatMap((range) => {
    const [first = -1, last = first, ...more] = range.split('-').map((name) => DAYS.indexOf(name.trim()));
    if (first < 0 || last < 0 || more.length > 0) throw refuse(part);
    const count = ((last - first + 7) % 7) + 1;
    return DAYS.slice(0, count).map((_, index) => (first + index) % 7);
  });
}

function parseSpan(text: string, part: string): OpenSpan {
  const found = /^\s*(\d\d):([0-5]\d)\s*-\s*(\d\d):([0-5]\d)\s*$/.exec(text);
  const [fromHour = 24, fromRest = 0, toHour = 25, toRest = 0] = found?.slice(1).map(Number) ?? [];
  const fromMinute = fromHour * 60 + fromRest;
  const toMinute = toHour * 60 + toRest;
  if (fromMinute >= DAY_MINUTES || toMinute > DAY_MINUTES) throw refuse(part);
  return { fromMinute, toMinute: toMinute > fromMinute ? toMinute : toMinute + DAY_MINUTES };
}
