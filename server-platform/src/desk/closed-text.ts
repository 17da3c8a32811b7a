import { languageOfReplies, sayIn } from '../agents/index.ts';
import { type OpenSpan, readOpeningHours } from './opening-hours.ts';
import type { Queue } from './queues.ts';

// A Monday.
const SOME_WEEK_MS = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 86_400_000;

/** Text for visitors outside the hours of a queue: its own text, else the hours, in the conversation's language. */
export function closedText(
  { closedText: own, hours, timezone }: Pick<Queue, 'closedText' | 'hours' | 'timezone'>,
  tag: string | null,
  nowMs: number,
): string {
  if (own !== null) return own;
  const language = languageOfReplies(tag);
  const spans = (hours === null ? null : readOpeningHours(hours)) ?? [];
  const listed = spans.map((span) => describeSpan(span, language)).join(', ');
  return sayIn(language, {}, 0)('hours', { hours: `${listed} (${nameZone(timezone, language, nowMs)})` });
}

/** Such as `Central European Time`, in summer and winter. */
function nameZone(timezone: string, language: string, nowMs: number): string {
  // It has a special name that languages write as "GMT+00:00".
  if (timezone === 'UTC') return timezone;
  const format = new Intl.DateTimeFormat(language, { timeZone: timezone, timeZoneName: 'longGeneric' });
  return format.formatToParts(nowMs).find(({ type }) => type === 'timeZoneName')?.value ?? timezone;
}

/** Such as `Monday–Friday 09:00–17:00`. */
function describeSpan({ days, fromMinute, toMinute }: OpenSpan, language: string): string {
  const name = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const [first = 0, last = first] = [days.at(0), days.at(-1)];
  const named = [...new Set([first, last])].map((day) => name.format(SOME_WEEK_MS + day * DAY_MS));
  return `${named.join('–')} ${describeMinute(fromMinute)}–${describeMinute(toMinute)}`;
}

function describeMinute(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}
