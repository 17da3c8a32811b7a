import { askedDepartures, connectionsOn, findChange, findLater } from './asked-departures.ts';
import { listTimes } from './departure-phrases.ts';
import { asksForDays, listDays } from './list-days.ts';
import { type CalendarDay, formatTime, type LocalTime, nameDay } from './local-day.ts';
import type { TimeQuestion } from './read-time-question.ts';
import type { TimeAnswer } from './reply-to-time-question.ts';
import { type Direction, departuresOn, findDirection, type Sailings } from './sailings.ts';
import type { Say } from './sentences.ts';

/** As `answerTimeQuestion`, in the words of another language: shorter, because its sentences must fit everywhere. */
export function describeSailings(
  question: TimeQuestion,
  sailings: Sailings,
  now: LocalTime,
  say: Say,
  language: string,
): TimeAnswer | null {
  const { route } = question;
  const dayIn = (day: CalendarDay): string => nameDay(day, language);
  if (route === null) {
    const hub = sailings.directions[0]?.from;
    const lines = sailings.directions
      .filter(({ from }) => from === hub)
      .map((each) => {
        const { left } = askedDepartures(each, question, sailings, now);
        const times =
          question.kind === 'next' ? left.slice(0, 1) : question.kind === 'last' ? left.slice(-1) : left;
        return `- ${each.from} → ${each.to}: ${times.length === 0 ? '–' : listTimes(times)}`;
      });
    return { text: `**${dayIn(question.day)}**\n\n${lines.join('\n')}`, article: null };
  }
  const direct = findDirection(sailings, route.from, route.to);
  if (direct !== null) {
    const text = asksForDays(question)
      ? listDays(direct, question, sailings, now, language)
      : describeDirection(direct, question, sailings, now, say, dayIn);
    return { text, article: direct.article };
  }
  const change = findChange(sailings, route);
  if (change === null) return null;
  const today = connectionsOn(change, question.day, sailings, now);
  const later = findLater(question.day, (day) => {
    const found = connectionsOn(change, day, sailings, now);
    return found.length === 0 ? undefined : found;
  });
  const day = today.length > 0 || later === null ? question.day : later.day;
  const lines = (today.length > 0 ? today : (later?.found ?? [])).map(
    (each) => `- ${legOf(change.first, each.start)}, ${legOf(change.second, each.change)}`,
  );
  return { text: `**${dayIn(day)}**\n\n${lines.join('\n')}`, article: change.second.article };
}

const legOf = ({ from, to, crossingMinutes }: Direction, time: number): string =>
  `${from} ${formatTime(time)} → ${to} ${formatTime(time + crossingMinutes)}`;

function describeDirection(
  direction: Direction,
  question: TimeQuestion,
  sailings: Sailings,
  now: LocalTime,
  say: Say,
  dayIn: (day: CalendarDay) => string,
): string {
  const { kind, day } = question;
  const { from, to, crossingMinutes } = direction;
  const { left } = askedDepartures(direction, question, sailings, now);
  const one = (which: 'next' | 'first' | 'last', time: number, on: CalendarDay): string =>
    say(which, {
      ...{ from, to, day: dayIn(on), time: formatTime(time) },
      arrival: formatTime(time + crossingMinutes),
    });
  const [first, ...rest] = left;
  if (first === undefined) {
    const next = findLater(day, (later) => departuresOn(sailings, direction, later)[0]);
    const none = say('none', { from, to, day: dayIn(day) });
    return next === null ? none : `${none} ${one('next', next.found, next.day)}`;
  }
  if (kind === 'last') return one('last', left.at(-1) ?? first, day);
  if (kind === 'next' || kind === 'first') {
    const more = rest.length === 0 ? '' : `\n\n${say('later', { times: listTimes(rest) })}`;
    return `${one(kind, first, day)}${more}`;
  }
  return say('list', { from, to, day: dayIn(day), times: listTimes(left) });
}
