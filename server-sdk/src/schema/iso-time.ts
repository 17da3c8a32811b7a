const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Parses an ISO 8601 time to milliseconds since 1970; null when invalid. A time without an offset is UTC, a date alone
 * is midnight UTC, and digits beyond milliseconds are cut off. Source: C-11.
 */
export function parseTime(value: string): number | null {
  const match = ISO.exec(value);
  if (!match) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const fields = [
    Number(year),
    Number(month),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  ] as const;
  if (!isRealDate(fields[0], fields[1], fields[2]) || fields[3] > 23 || fields[4] > 59 || fields[5] > 59)
    return null;
  const offsetMinutes = readOffset(zone);
  if (offsetMinutes === null) return null;
  const date = new Date(0);
  // setUTCFullYear, because Date.UTC treats the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(fields[0], fields[1] - 1, fields[2]);
  date.setUTCHours(fields[3], fields[4], fields[5], Number(fraction.padEnd(3, '0').slice(0, 3)));
  return date.getTime() - offsetMinutes * 60_000;
}

function isRealDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return day <= last.getUTCDate();
}

function readOffset(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || '0');
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
