import type { AgentTool, ToolAnswer, ToolCallContext } from '@natter/platform';
import * as v from 'valibot';
import { describeSailings } from './describe-sailings.ts';
import { formatTime, type LocalTime, localTimeAt, nameDay } from './local-day.ts';
import { type Route, readRoute } from './read-route.ts';
import { readTimeQuestion } from './read-time-question.ts';
import { answerTimeQuestion } from './reply-to-time-question.ts';
import { departuresOn, isSummer, loadSailings } from './sailings.ts';
import { sayIn } from './sentences.ts';

const sailings = loadSailings();

const memorySchema = v.object({
  /** The route that was asked for last. */
  route: v.nullable(v.object({ from: v.string(), to: v.string() })),
  /** The route that the visitor's page named then. */
  pageRoute: v.nullable(v.string()),
});

const NO_MEMORY: v.InferOutput<typeof memorySchema> = { route: null, pageRoute: null };

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Answers from the timetable and the clock. */
export const sailingsTool: AgentTool = {
  name: 'sailings',
  description:
    'Departures of a day, with season and exceptions applied. Use it for every question about sailing times.',
  input: {
    properties: {
      from: { type: 'string', description: 'Place of departure; leave out for all.' },
      to: { type: 'string', description: 'Destination; leave out for all.' },
      date: { type: 'string', description: 'YYYY-MM-DD; leave out for today.' },
    },
  },
  triggers: [
    {
      slots: {
        to: Object.fromEntries(
          [...new Set(sailings.placeNames.map(([, place]) => place))].map((place) => [
            place,
            sailings.placeNames.filter(([, other]) => other === place).map(([name]) => name),
          ]),
        ),
      },
      examples: [
        'when is the next ferry',
        'next ferry to {to}',
        'when is the next ferry to {to}',
        'next boat from {to} to {to} on sunday',
        'when does the ferry to {to} leave',
        'when does the first ferry leave',
        'what time is the last ferry',
        'when does the last ferry go',
        'what is the first sailing of the day',
        'when is the first sailing',
        'when do the boats leave',
        'what are the ferry times',
        'when does the last boat from {to} go tonight',
        'what time is the last boat back from {to} today',
        'last ferry to {to} tonight',
        'first boat to {to} tomorrow',
        'earliest boat off {to} on monday',
        'what is the first sailing to {to} on saturday',
        'is the last ferry to {to} gone already',
        'is there a ferry to {to} at 4pm',
        'is there a boat to {to} on saturday',
        'is the 20:15 to {to} on today',
        'are there ferries to {to} tomorrow',
        'are there any more boats to {to} today',
        'morning boats from {to} on saturday',
        'anything to {to} after 5 this evening',
        'what boat can i get to {to} after 5',
        'ferries to {to} this evening',
        'ferries to {to} between 2 and 4',
        'ferry times to {to} today',
        'how many ferries are left to {to} today',
        'how many more boats from {to} today',
        'how many ferries a day go to {to}',
        'how often do boats sail to {to}',
        'how long until the next boat to {to}',
        'have i missed the last boat to {to}',
        'i need to be on {to} by noon, which ferry do i take',
        'i must be in {to} at 10, what boat should i catch',
        'can i get from {to} to {to} tonight',
        'can i get from {to} to {to} and return in a day',
        'can i still get to {to} tonight',
        'when can i go to {to} this weekend',
        'i want to go to {to} tomorrow afternoon, what times',
        'boats to {to} this week',
        'sailing times this weekend to {to}',
        'ferries to {to} on 3 november',
        'does the boat run on sundays to {to}',
        'do you sail on christmas day',
        'ferry to {to} tonight',
        'which one do we catch to be on {to} at 11',
        'i want a day trip to {to}, what times are there',
        'what time do i get to {to} if i take the 7 o clock',
        'what time does the 21:30 get in to {to}',
      ],
    },
  ],
  run(input, context) {
    const now = localTimeAt(context.nowMs, context.timeZone);
    return context.text === null ? lookUp(input, now) : answer(context.text, context, now);
  },
};

/** The departures that a model asks for. */
function lookUp(input: Readonly<Record<string, unknown>>, now: LocalTime): ToolAnswer {
  const { from: start, to: end, date: wanted } = input;
  const date = String(wanted ?? '');
  const wantedMs = DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  const day = Number.isNaN(wantedMs) ? now.day : wantedMs / 86_400_000;
  const [from, to] = [placeIn(start), placeIn(end)];
  const data = {
    now: `${nameDay(now.day)}, ${formatTime(now.minutes)}`,
    day: nameDay(day),
    season: isSummer(sailings, day) ? 'summer' : 'winter',
    sailings: sailings.directions
      .filter((each) => (from === null || each.from === from) && (to === null || each.to === to))
      .map((each) => ({
        from: each.from,
        to: each.to,
        crossing_minutes: each.crossingMinutes,
        departures: departuresOn(sailings, each, day).map(formatTime),
      })),
  };
  return { text: '', data };
}

function placeIn(value: unknown): string | null {
  const name = String(value ?? '').toLowerCase();
  return sailings.placeNames.find(([known]) => name.includes(known))?.[1] ?? null;
}

/** The answer to a visitor's own words; null when the timetable does not answer them. */
function answer(text: string, context: ToolCallContext, now: LocalTime): ToolAnswer | null {
  const parsed = v.safeParse(memorySchema, context.remembered);
  const memory = parsed.success ? parsed.output : NO_MEMORY;
  const pageRoute = typeof context.page['route'] === 'string' ? context.page['route'].slice(0, 100) : null;
  const remembered: Route | null = memory.route === null ? null : { ...memory.route, isNamed: false };
  // A choice on the page that is newer than the conversation's route takes its place.
  const known = pageRoute === memory.pageRoute ? remembered : (readPageRoute(pageRoute) ?? remembered);
  const question = readTimeQuestion(text, sailings, now, {
    ...{ route: known, words: context.earlier, isFollowUp: context.isFollowUp },
  });
  if (question === null) return null;
  const found =
    context.language === 'en'
      ? answerTimeQuestion(question, sailings, now)
      : describeSailings(question, sailings, now, sayIn(context.language), context.language);
  if (found === null) return null;
  const { route } = question;
  return {
    ...found,
    remember: { route: route === null ? memory.route : { from: route.from, to: route.to }, pageRoute },
  };
}

const readPageRoute = (text: string | null): Route | null =>
  text === null ? null : readRoute(text.toLowerCase(), sailings, { route: null, words: '' });
