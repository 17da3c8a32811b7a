import { type CalendarDay, formatTime, type LocalTime, nameDay } from './local-day.ts';
import type { TimeQuestion } from './read-time-question.ts';
import { type Direction, departuresOn, findDirection, type Sailings } from './sailings.ts';

/** The answer to a question about sailings. */
export interface TimeAnswer {
  readonly text: string;
  /** Slug of the article with the whole timetable; null for an answer about all routes. */
  readonly article: string | null;
}

// Longer than any pause in a timetable.
const MAX_DAYS_AHEAD = 40;

/** Answers from the timetable and the clock: one sentence, then the rest of the day. Null without such a route. */
export function answerTimeQuestion(
  question: TimeQuestion,
  sailings: Sailings,
  now: LocalTime,
): TimeAnswer | null {
  const { route } = question;
  if (route === null) return answerForAll(question, sailings, now);
  const direct = findDirection(sailings, route.from, route.to);
  if (direct !== null) return { text: answerFor(direct, question, sailings, now), article: direct.article };
  return answerWithChange(question, sailings, now);
}

const list = (times: readonly number[]): string => times.map(formatTime).join(', ');

function dayName(day: CalendarDay, now: LocalTime): string {
  if (day === now.day) return 'today';
  return day === now.day + 1 ? 'tomorrow' : `on ${nameDay(day)}`;
}

const between = ({ from, to }: Direction): string => `from ${from} to ${to}`;

const leaves = ({ crossingMinutes }: Direction, time: number): string =>
  `leaves at ${formatTime(time)} and arrives at ${formatTime(time + crossingMinutes)}${time + crossingMinutes >= 1_440 ? ' the next morning' : ''}`;

function answerFor(direction: Direction, question: TimeQuestion, sailings: Sailings, now: LocalTime): string {
  const { kind, day, from, until } = question;
  const all = departuresOn(sailings, direction, day);
  const isToday = day === now.day;
  const wanted = all.filter((time) => time >= from && time < until);
  const left = isToday ? wanted.filter((time) => time > now.minutes) : wanted;
  const name = dayName(day, now);
  if (all.length === 0)
    return `There are no ferries ${between(direction)} ${name}. ${nextAfter(direction, day, sailings, now)}`;
  if (kind === 'at' && question.at !== null) return answerAt(direction, all, question.at, name);
  if (kind === 'last' || kind === 'first')
    return answerEnd(direction, question, { all, wanted, left }, sailings, now);
  const [first, ...rest] = left;
  if (first === undefined) {
    const gone =
      isToday && wanted.length > 0 ? `The last one left at ${formatTime(wanted.at(-1) ?? 0)}. ` : '';
    const others = all.filter((time) => !isToday || time > now.minutes);
    return others.length > 0
      ? `There is no ferry ${between(direction)} at that time ${name}. The others leave at ${list(others)}.`
      : `There are no more ferries ${between(direction)} ${name}. ${gone}${nextAfter(direction, day, sailings, now)}`;
  }
  if (kind === 'next') {
    const sentence = `The next ferry ${between(direction)} ${leavesOn(direction, first, name)}.${waitFor(first, isToday, now)}`;
    return `${sentence}\n\n${rest.length === 0 ? `It is the last one ${name}.` : `${isToday ? 'Later today' : 'After that'}: ${list(rest)}.`}`;
  }
  const count = `${left.length} ${left.length === 1 ? 'ferry' : 'ferries'}`;
  const opening = `There ${left.length === 1 ? 'is' : 'are'} ${count}${isToday ? ' left' : ''} ${between(direction)} ${name}: ${list(left)}.`;
  const earlier = all.filter((time) => time <= now.minutes);
  const past = isToday && kind === 'list' && earlier.length > 0 ? ` Already gone: ${list(earlier)}.` : '';
  return `${opening}${past}${kind === 'list' ? backOn(direction, day, sailings, now) : ''}`;
}

const leavesOn = (direction: Direction, time: number, name: string): string =>
  leaves(direction, time).replace('leaves', `leaves ${name}`);

function waitFor(time: number, isToday: boolean, now: LocalTime): string {
  const minutes = time - now.minutes;
  return isToday && minutes <= 90 ? ` That is in ${minutes} minute${minutes === 1 ? '' : 's'}.` : '';
}

function backOn(direction: Direction, day: CalendarDay, sailings: Sailings, now: LocalTime): string {
  const back = findDirection(sailings, direction.to, direction.from);
  if (back === null) return '';
  const times = departuresOn(sailings, back, day).filter((time) => day !== now.day || time > now.minutes);
  return times.length === 0 ? '' : `\n\nBack from ${direction.to}: ${list(times)}.`;
}

function nextAfter(direction: Direction, day: CalendarDay, sailings: Sailings, now: LocalTime): string {
  for (let next = day + 1; next <= day + MAX_DAYS_AHEAD; next += 1) {
    const [first] = departuresOn(sailings, direction, next);
    if (first !== undefined) return `The next one ${leavesOn(direction, first, dayName(next, now))}.`;
  }
  return '';
}

function answerAt(direction: Direction, all: readonly number[], at: number, name: string): string {
  if (all.includes(at))
    return `Yes, there is a ferry ${between(direction)} at ${formatTime(at)} ${name}; it arrives at ${formatTime(at + direction.crossingMinutes)}.\n\nAll ferries ${name}: ${list(all)}.`;
  const before = all.filter((time) => time < at).at(-1);
  const after = all.find((time) => time > at);
  const near = [
    before === undefined ? null : `the one before leaves at ${formatTime(before)}`,
    after === undefined ? 'there is none later' : `the next one after that at ${formatTime(after)}`,
  ].filter((each) => each !== null);
  return `No, there is no ferry ${between(direction)} at ${formatTime(at)} ${name}: ${near.join(', ')}.\n\nAll ferries ${name}: ${list(all)}.`;
}

interface DayTimes {
  readonly all: readonly number[];
  readonly wanted: readonly number[];
  readonly left: readonly number[];
}

/** The first or the last ferry of a day. */
function answerEnd(
  direction: Direction,
  { kind, day }: TimeQuestion,
  { all, wanted, left }: DayTimes,
  sailings: Sailings,
  now: LocalTime,
): string {
  const name = dayName(day, now);
  const times = wanted.length > 0 ? wanted : all;
  const time = (kind === 'last' ? times.at(-1) : times[0]) ?? 0;
  const isGone = day === now.day && time <= now.minutes;
  if (!isGone) {
    const sentence = `The ${kind} ferry ${between(direction)} ${leavesOn(direction, time, name)}.`;
    const others = left.filter((each) => each !== time);
    if (others.length === 0) return sentence;
    const label = kind === 'last' ? (day === now.day ? 'Before that' : 'Earlier') : 'After that';
    return `${sentence}\n\n${label}: ${list(others)}.`;
  }
  const gone = `The ${kind} ferry ${between(direction)} ${name} left at ${formatTime(time)}.`;
  const [next, ...rest] = left;
  if (next === undefined) return `${gone} ${nextAfter(direction, day, sailings, now)}`;
  return `${gone} The next one ${leaves(direction, next)}.${rest.length === 0 ? '' : `\n\nLater today: ${list(rest)}.`}`;
}

/** Without a route: what each of them has to say. */
function answerForAll(question: TimeQuestion, sailings: Sailings, now: LocalTime): TimeAnswer {
  const { kind, day, from, until } = question;
  const hub = sailings.directions[0]?.from;
  const name = dayName(day, now);
  const lines = sailings.directions
    .filter((direction) => direction.from === hub)
    .map((direction) => {
      const times = departuresOn(sailings, direction, day).filter(
        (time) => time >= from && time < until && (day !== now.day || time > now.minutes || kind === 'first'),
      );
      const shown =
        kind === 'last' ? times.slice(-1) : kind === 'next' || kind === 'first' ? times.slice(0, 1) : times;
      return `- to ${direction.to}: ${shown.length === 0 ? `none ${day === now.day ? 'left today' : name}` : list(shown)}`;
    });
  const what = { next: 'The next ferries', last: 'The last ferries', first: 'The first ferries' } as const;
  const opening = kind === 'next' || kind === 'last' || kind === 'first' ? what[kind] : 'Ferries';
  return { text: `${opening} from ${hub} ${name}:\n\n${lines.join('\n')}`, article: null };
}

/** Between two places without a direct ferry: by the connection at the place between. */
function answerWithChange(question: TimeQuestion, sailings: Sailings, now: LocalTime): TimeAnswer | null {
  const { route, day, kind } = question;
  if (route === null) return null;
  const first = sailings.directions.find(
    (each) => each.from === route.from && findDirection(sailings, each.to, route.to) !== null,
  );
  const second = first === undefined ? null : findDirection(sailings, first.to, route.to);
  if (first === undefined || second === null) return null;
  const name = dayName(day, now);
  const connections = departuresOn(sailings, second, day).flatMap((change) => {
    const start = departuresOn(sailings, first, day).findLast(
      (time) => time + first.crossingMinutes <= change,
    );
    return start === undefined || (day === now.day && start <= now.minutes) ? [] : [{ start, change }];
  });
  const said = (each: { readonly start: number; readonly change: number }): string =>
    `leave ${first.from} at ${formatTime(each.start)}, change in ${first.to} at ${formatTime(each.change)}, arrive on ${second.to} at ${formatTime(each.change + second.crossingMinutes)}`;
  const best = kind === 'last' ? connections.at(-1) : connections[0];
  if (best === undefined)
    return {
      text: `There is no connection from ${route.from} to ${route.to} ${day === now.day ? 'left today' : name}. ${nextAfter(second, day, sailings, now)}`,
      article: second.article,
    };
  const others = connections.filter((each) => each !== best);
  const rest = others.length === 0 ? '' : `\n\nAlso: ${others.map(said).join('; ')}.`;
  const which = kind === 'last' ? 'The last connection' : 'The next connection';
  return { text: `${which} ${name}: ${said(best)}.${rest}`, article: second.article };
}
