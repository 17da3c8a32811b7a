import { askedDepartures, findLater } from './asked-departures.ts';
import { between, leaves, listTimes } from './departure-phrases.ts';
import { dayName, formatTime, type LocalTime } from './local-day.ts';
import type { TimeQuestion } from './read-time-question.ts';
import { type Direction, departuresOn, findDirection, type Sailings } from './sailings.ts';

interface Asked {
  readonly direction: Direction;
  readonly question: TimeQuestion;
  readonly sailings: Sailings;
  readonly now: LocalTime;
}

/** Answers about one direction in English: one sentence, then the rest of the day. */
export function answerDirection(
  direction: Direction,
  question: TimeQuestion,
  sailings: Sailings,
  now: LocalTime,
): string {
  const asked: Asked = { direction, question, sailings, now };
  const { kind, day, at } = question;
  const { all, left } = askedDepartures(direction, question, sailings, now);
  if (all.length === 0)
    return `There are no ferries ${between(direction)} ${dayName(day, now)}. ${sayNextDay(asked)}`.trim();
  if (kind === 'at' && at !== null) return sayAt(asked, all, at);
  if (kind === 'last' || kind === 'first') return sayEnd(asked, kind);
  if (kind === 'daily')
    return `There ${all.length === 1 ? 'is 1 ferry' : `are ${all.length} ferries`} ${between(direction)} ${dayName(day, now)}: ${listTimes(all)}.`;
  if (left.length === 0) return sayNoneLeft(asked);
  if (kind === 'next') return sayNext(asked, left);
  return question.arriveBy === null ? sayList(asked, left) : sayArrival(asked, left, question.arriveBy);
}

function sayNext({ direction, question, now }: Asked, left: readonly number[]): string {
  const [first = 0, ...rest] = left;
  const isToday = question.day === now.day;
  const name = dayName(question.day, now);
  const minutes = first - now.minutes;
  const wait =
    isToday && minutes <= LONGEST_WAIT_SAID
      ? ` That is in ${minutes} minute${minutes === 1 ? '' : 's'}.`
      : '';
  const others =
    rest.length === 0
      ? `It is the last one ${name}.`
      : `${isToday ? 'Later today' : 'After that'}: ${listTimes(rest)}.`;
  return `The next ferry ${between(direction)} ${leaves(direction, first, name)}.${wait}\n\n${others}`;
}

// People count longer waits in hours.
const LONGEST_WAIT_SAID = 90;

function sayList({ direction, question, sailings, now }: Asked, left: readonly number[]): string {
  const { day, kind } = question;
  const isToday = day === now.day;
  const isOne = left.length === 1;
  const count = `${left.length} ${isOne ? 'ferry' : 'ferries'}${isToday ? ' left' : ''}`;
  const opening = `There ${isOne ? 'is' : 'are'} ${count} ${between(direction)} ${dayName(day, now)}: ${listTimes(left)}.`;
  if (kind !== 'list') return opening;
  const gone = departuresOn(sailings, direction, day).filter((time) => isToday && time <= now.minutes);
  const earlier = gone.length === 0 ? '' : ` Already gone: ${listTimes(gone)}.`;
  const back = findDirection(sailings, direction.to, direction.from);
  const times =
    back === null ? [] : departuresOn(sailings, back, day).filter((time) => !isToday || time > now.minutes);
  const wayBack = times.length === 0 ? '' : `\n\nBack from ${direction.to}: ${listTimes(times)}.`;
  return `${opening}${earlier}${wayBack}`;
}

/** "I need to be there by noon": the last ferry that is early enough. */
function sayArrival({ direction, question, now }: Asked, left: readonly number[], arriveBy: number): string {
  const best = left.at(-1) ?? 0;
  const earlier = left.slice(0, -1);
  const others = earlier.length === 0 ? '' : `\n\nEarlier: ${listTimes(earlier)}.`;
  return `To be there by ${formatTime(arriveBy)}, take the ferry that ${leaves(direction, best, dayName(question.day, now))}.${others}`;
}

function sayNoneLeft(asked: Asked): string {
  const { direction, question, sailings, now } = asked;
  const { all, wanted, isToday } = askedDepartures(direction, question, sailings, now);
  const name = dayName(question.day, now);
  const others = all.filter((time) => !isToday || time > now.minutes);
  if (others.length > 0) {
    const what = question.arriveBy === null ? 'at that time' : 'early enough';
    return `There is no ferry ${between(direction)} ${what} ${name}. The others leave at ${listTimes(others)}.`;
  }
  const last = wanted.at(-1);
  const gone = isToday && last !== undefined ? ` The last one left at ${formatTime(last)}.` : '';
  return `There are no more ferries ${between(direction)} ${name}.${gone} ${sayNextDay(asked)}`;
}

function sayNextDay({ direction, question, sailings, now }: Asked): string {
  const next = findLater(question.day, (day) => departuresOn(sailings, direction, day)[0]);
  return next === null ? '' : `The next one ${leaves(direction, next.found, dayName(next.day, now))}.`;
}

function sayAt({ direction, question, now }: Asked, all: readonly number[], at: number): string {
  const name = dayName(question.day, now);
  const whole = `\n\nAll ferries ${name}: ${listTimes(all)}.`;
  if (all.includes(at)) {
    const arrival = formatTime(at + direction.crossingMinutes);
    return `Yes, there is a ferry ${between(direction)} at ${formatTime(at)} ${name}; it arrives at ${arrival}.${whole}`;
  }
  const before = all.filter((time) => time < at).at(-1);
  const after = all.find((time) => time > at);
  const near = [
    before === undefined ? null : `the one before leaves at ${formatTime(before)}`,
    after === undefined ? 'there is none later' : `the next one after that at ${formatTime(after)}`,
  ].filter((each) => each !== null);
  return `No, there is no ferry ${between(direction)} at ${formatTime(at)} ${name}: ${near.join(', ')}.${whole}`;
}

/** The first or the last ferry of a day, or of the part of it that is asked for. */
function sayEnd(asked: Asked, kind: 'first' | 'last'): string {
  const { direction, question, sailings, now } = asked;
  const { all, wanted, left, isToday } = askedDepartures(direction, question, sailings, now);
  const name = dayName(question.day, now);
  const times = wanted.length > 0 ? wanted : all;
  const time = (kind === 'last' ? times.at(-1) : times[0]) ?? 0;
  if (!isToday || time > now.minutes) {
    const sentence = `The ${kind} ferry ${between(direction)} ${leaves(direction, time, name)}.`;
    const others = left.filter((each) => each !== time);
    const label = kind === 'first' ? 'After that' : isToday ? 'Before that' : 'Earlier';
    return others.length === 0 ? sentence : `${sentence}\n\n${label}: ${listTimes(others)}.`;
  }
  const gone = `The ${kind} ferry ${between(direction)} ${name} left at ${formatTime(time)}.`;
  const [next, ...rest] = left;
  if (next === undefined) return `${gone} ${sayNextDay(asked)}`;
  const later = rest.length === 0 ? '' : `\n\nLater today: ${listTimes(rest)}.`;
  return `${gone} The next one ${leaves(direction, next, '')}.${later}`;
}
