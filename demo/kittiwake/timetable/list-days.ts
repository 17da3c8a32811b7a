import { askedDepartures } from './asked-departures.ts';
import { listTimes } from './departure-phrases.ts';
import { type LocalTime, nameDay } from './local-day.ts';
import type { TimeQuestion } from './read-time-question.ts';
import type { Direction, Sailings } from './sailings.ts';

/** The departures of several days, a line each: for a weekend or a week, in any language. */
export function listDays(
  direction: Direction,
  question: TimeQuestion,
  sailings: Sailings,
  now: LocalTime,
  language?: string,
): string {
  const lines = Array.from({ length: question.days }, (_, position) => {
    const day = question.day + position;
    const { left } = askedDepartures(direction, { ...question, day }, sailings, now);
    return `- ${nameDay(day, language)}: ${left.length === 0 ? '–' : listTimes(left)}`;
  });
  return `**${direction.from} → ${direction.to}**\n\n${lines.join('\n')}`;
}

/** Whether a question is answered day by day. */
export const asksForDays = ({ kind, days }: TimeQuestion): boolean =>
  days > 1 && (kind === 'list' || kind === 'count' || kind === 'daily');
