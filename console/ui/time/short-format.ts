const TIME: Intl.DateTimeFormatOptions = { timeStyle: 'short' };
const DAY_AND_TIME: Intl.DateTimeFormatOptions = {
  ...{ month: 'short', day: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit' },
};

/** The format of a time in a list: the time, with the day unless it is today. */
export function shortFormat(at: string, nowMs: number): Intl.DateTimeFormatOptions {
  return new Date(at).toDateString() === new Date(nowMs).toDateString() ? TIME : DAY_AND_TIME;
}
