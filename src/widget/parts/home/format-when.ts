/** Formats the time of a message: the time today, with the date on earlier days, with the year in earlier years. */
export function formatWhen(atMs: number, nowMs: number, locale: string): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  const isToday = at.toDateString() === now.toDateString();
  const isThisYear = at.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    ...(!isToday && { day: 'numeric', month: 'long' }),
    ...(!isThisYear && { year: 'numeric' }),
  }).format(at);
}
