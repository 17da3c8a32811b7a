import { answerDirection } from './answer-direction.ts';
import {
  askedDepartures,
  type Connection,
  connectionsOn,
  findChange,
  findLater,
} from './asked-departures.ts';
import { listTimes } from './departure-phrases.ts';
import { asksForDays, listDays } from './list-days.ts';
import { type CalendarDay, dayName, formatTime, type LocalTime } from './local-day.ts';
import type { TimeQuestion } from './read-time-question.ts';
import { type Direction, departuresOn, findDirection, type Sailings } from './sailings.ts';

/** The answer to a question about sailings. */
export interface TimeAnswer {
  readonly text: string;
  /** Slug of the article with the whole timetable; null for an answer about all routes. */
  readonly article: string | null;
}

/** Answers in English from the timetable and the clock. Null without such a route. */
export function answerTimeQuestion(
  question: TimeQuestion,
  sailings: Sailings,
  now: LocalTime,
): TimeAnswer | null {
  const { route } = question;
  if (route === null) return answerForAll(question, sailings, now);
  const direct = findDirection(sailings, route.from, route.to);
  if (direct !== null) {
    const text = asksForDays(question)
      ? listDays(direct, question, sailings, now)
      : answerDirection(direct, question, sailings, now);
    return { text, article: direct.article };
  }
  return answerWithChange(question, sailings, now);
}

const OPENINGS = { next: 'The next ferries', last: 'The last ferries', first: 'The first ferries' } as const;

/** Without a route: the answer for each route. */
function answerForAll(question: TimeQuestion, sailings: Sailings, now: LocalTime): TimeAnswer {
  const { kind, day } = question;
  const hub = sailings.directions[0]?.from;
  const name = dayName(day, now);
  const fromHub = sailings.directions.filter((direction) => direction.from === hub);
  if (fromHub.every((direction) => departuresOn(sailings, direction, day).length === 0))
    return { text: sayNoneAtAll(fromHub, day, sailings, now), article: null };
  const lines = fromHub.map((direction) => {
    const { wanted, left } = askedDepartures(direction, question, sailings, now);
    const times = kind === 'first' || kind === 'daily' ? wanted : left;
    const shown =
      kind === 'last' ? times.slice(-1) : kind === 'next' || kind === 'first' ? times.slice(0, 1) : times;
    const none = `none ${day === now.day ? 'left today' : name}`;
    return `- to ${direction.to}: ${shown.length === 0 ? none : listTimes(shown)}`;
  });
  const opening = kind === 'next' || kind === 'last' || kind === 'first' ? OPENINGS[kind] : 'Ferries';
  return { text: `${opening} from ${hub} ${name}:\n\n${lines.join('\n')}`, article: null };
}

/** Nothing sails on this day: when ferries leave again. */
function sayNoneAtAll(
  directions: readonly Direction[],
  day: CalendarDay,
  sailings: Sailings,
  now: LocalTime,
): string {
  const lines = directions.flatMap((direction) => {
    const next = findLater(day, (later) => departuresOn(sailings, direction, later)[0]);
    return next === null
      ? []
      : [`- to ${direction.to}: ${dayName(next.day, now)} at ${formatTime(next.found)}`];
  });
  return `There are no sailings ${dayName(day, now)}. The next ferries from ${directions[0]?.from}:\n\n${lines.join('\n')}`;
}

/** Between two places without a direct ferry: by the connection at the place between. */
function answerWithChange(question: TimeQuestion, sailings: Sailings, now: LocalTime): TimeAnswer | null {
  const { route, day, kind } = question;
  const change = route === null ? null : findChange(sailings, route);
  if (route === null || change === null) return null;
  const { article } = change.second;
  const connections = connectionsOn(change, day, sailings, now);
  const best = kind === 'last' ? connections.at(-1) : connections[0];
  if (best === undefined) {
    const next = findLater(day, (later) => connectionsOn(change, later, sailings, now)[0]);
    const when = day === now.day ? 'left today' : dayName(day, now);
    const later =
      next === null ? '' : ` The next one ${dayName(next.day, now)}: ${sayChange(change, next.found)}.`;
    return { text: `There is no connection from ${route.from} to ${route.to} ${when}.${later}`, article };
  }
  const others = connections.filter((each) => each !== best).map((each) => sayChange(change, each));
  const rest = others.length === 0 ? '' : `\n\nAlso: ${others.join('; ')}.`;
  const which = kind === 'last' ? 'The last connection' : 'The next connection';
  return { text: `${which} ${dayName(day, now)}: ${sayChange(change, best)}.${rest}`, article };
}

function sayChange(
  { first, second }: { readonly first: Direction; readonly second: Direction },
  { start, change }: Connection,
): string {
  const arrival = formatTime(change + second.crossingMinutes);
  return `leave ${first.from} at ${formatTime(start)}, change in ${first.to} at ${formatTime(change)}, arrive on ${second.to} at ${arrival}`;
}
