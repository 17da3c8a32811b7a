const DAY_MS = 86_400_000;

/** When the team is back, by the visitor's own clock: the time, with its day unless that is today, with its date after a week. */
export function formatReturn(atMs: number, nowMs: number, locale: string): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  const isSoon = atMs - nowMs < 6 * DAY_MS;
  return new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    ...(!isToday && { weekday: 'long' }),
    ...(!isSoon && { day: 'numeric', month: 'long' }),
  }).format(atMs);
}
