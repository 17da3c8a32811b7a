import type { VNode } from 'preact';

const DAY_AND_TIME: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };

/** A moment in the time zone of the person who looks. */
export function Time({
  at,
  format = DAY_AND_TIME,
}: {
  at: string;
  format?: Intl.DateTimeFormatOptions;
}): VNode {
  return <time dateTime={at}>{new Date(at).toLocaleString([], format)}</time>;
}

/** A duration such as `2 min 5 s` or `140 ms`. */
export function formatSeconds(seconds: number): string {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 10 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600)
    return [`${Math.floor(whole / 60)} min`, whole % 60 ? `${whole % 60} s` : ''].join(' ').trim();
  return [`${Math.floor(whole / 3_600)} h`, `${Math.floor((whole % 3_600) / 60)} min`].join(' ');
}
