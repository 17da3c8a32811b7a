/** Writes a time to the second, with its date and zone, as the locale does. */
export function formatExactly(locale: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
  return (atMs) => format.format(atMs);
}
