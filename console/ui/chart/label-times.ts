const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/**
 * The texts of an axis of time, as the reader's language and country write them: the time, and below it the day where
 * that changes; for steps of days the day alone.
 *
 * @param seconds where the axis has its marks, since 1970, ascending
 * @param stepS from one mark to the next
 */
export function labelTimes(
  seconds: readonly number[],
  stepS: number,
  { locale, timeZone }: { readonly locale?: string; readonly timeZone?: string } = {},
): string[] {
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...zone });
  if (stepS >= DAY_S) return seconds.map((second) => day.format(second * 1_000));
  const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric' });
  const isTwelve = clock.resolvedOptions().hour12 === true;
  // "4 PM" is a time, "16" alone is none.
  const isHour = stepS >= HOUR_S && isTwelve;
  const time = new Intl.DateTimeFormat(locale, {
    ...(isHour ? { hour: 'numeric' } : { timeStyle: stepS < MINUTE_S ? 'medium' : 'short' }),
    ...zone,
  });
  let shown = '';
  return seconds.map((second) => {
    const before = shown;
    shown = day.format(second * 1_000);
    const text = time.format(second * 1_000);
    return shown === before ? text : `${text}\n${shown}`;
  });
}
