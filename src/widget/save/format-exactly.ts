/** Returns a formatter of date, time to the second and zone in a locale. */
export function formatExactly(locale: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
  return (atMs) => format.format(atMs);
}
