import { describeHours, languageOfReplies, sayIn } from '../agents/index.ts';
import type { Queue } from './queues.ts';

/** Text for visitors outside the hours of a queue: its own text, else the hours, in the conversation's language. */
export function closedText(
  { closedText: own, hours, timezone }: Pick<Queue, 'closedText' | 'hours' | 'timezone'>,
  tag: string | null,
  nowMs: number,
): string {
  if (own !== null) return own;
  const language = languageOfReplies(tag);
  const say = sayIn(language, {}, 0);
  const listed = hours === null ? say('day_and_night') : describeHours(hours, say);
  return say('hours', { hours: `${listed} (${nameZone(timezone, language, nowMs)})` });
}

/** Such as `Central European Time`, in summer and winter. */
function nameZone(timezone: string, language: string, nowMs: number): string {
  // It has a special name that languages write as "GMT+00:00".
  if (timezone === 'UTC') return timezone;
  const format = new Intl.DateTimeFormat(language, { timeZone: timezone, timeZoneName: 'longGeneric' });
  return format.formatToParts(nowMs).find(({ type }) => type === 'timeZoneName')?.value ?? timezone;
}
