const TIME: Intl.DateTimeFormatOptions = { timeStyle: 'short' };
const DAY_AND_TIME: Intl.DateTimeFormatOptions = {
  ...{ month: 'short', day: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit' },
};

/** How a list of what goes on writes a moment: the time, and the day as well when that is not today. */
export function shortFormat(at: string, nowMs: number): Intl.DateTimeFormatOptions {
  return new Date(at).toDateString() === new Date(nowMs).toDateString() ? TIME : DAY_AND_TIME;
}
