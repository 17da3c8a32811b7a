/** When something was said: the time today, the date with it before, the year with it in another year. */
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
