/** The weekday and time in a zone such as `Europe/Berlin`; empty where there is no such zone. Any visitor can name one. */
export function timeIn(timeZone: string, nowMs: number): string {
  if (timeZone === '') return '';
  try {
    return new Intl.DateTimeFormat([], {
      ...{ weekday: 'short', hour: 'numeric', minute: '2-digit' },
      timeZone,
    }).format(nowMs);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}
