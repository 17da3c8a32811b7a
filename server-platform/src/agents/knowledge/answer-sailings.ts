import type { AgentTurn } from '../agent.ts';
import { givenFactsOf } from '../given-state.ts';
import { sourceOf } from './answer-question.ts';
import type { KnowledgeAgentConfig } from './knowledge-agent-config.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';
import type { Memory } from './memory.ts';
import { correctWords } from './read-query.ts';
import type { Reply } from './reply.ts';
import type { ReadMessage } from './reply-to-intent.ts';
import { articleLanguage, offerPerson } from './small-talk.ts';
import { foldText } from './text/tokenize.ts';
import { describeSailings } from './time/describe-sailings.ts';
import { formatTime, localTimeAt, nameDay } from './time/local-day.ts';
import { type Route, readRoute } from './time/read-route.ts';
import { isAboutOtherTimes, readTimeQuestion } from './time/read-time-question.ts';
import { answerTimeQuestion } from './time/reply-to-time-question.ts';
import type { Sailings } from './time/sailings.ts';

const CLOCK =
  /^\W*(?:(?:do you know |can you tell me )?(?:what time is it|what(?:'?s| is) the time|what(?:'?s| is) (?:the date|today'?s date)|what day is (?:it|today)))(?: today| now| please| there| on the island)*\W*$/i;

/** Answers a question about sailings from the timetable and the clock; null when the message asks for something else. */
export function answerSailings(
  turn: AgentTurn,
  sailings: Sailings | null,
  index: KnowledgeIndex,
  config: KnowledgeAgentConfig,
  memory: Memory,
  nowMs: number,
  { language, say }: Pick<ReadMessage, 'language' | 'say'>,
): Reply | null {
  if (sailings === null) return null;
  const now = localTimeAt(nowMs, config.timeZone);
  if (CLOCK.test(turn.text.slice(0, 60)))
    return { intent: 'clock', text: `It is ${formatTime(now.minutes)} on ${nameDay(now.day)} here.` };
  const pageRoute = pageRouteOf(turn);
  const said = memory.route === undefined ? null : { ...memory.route, isNamed: false };
  // A choice on the page that is newer than the conversation's route takes its place.
  const known = pageRoute === memory.pageRoute ? said : (readPageRoute(pageRoute, sailings) ?? said);
  // A misspelt "check-in" is one, too.
  if (isAboutOtherTimes(correctWords(index, turn.text))) return null;
  const question = readTimeQuestion(turn.text, sailings, now, { route: known, words: memory.words });
  if (question === null) return null;
  const answer =
    language === 'en'
      ? answerTimeQuestion(question, sailings, now)
      : describeSailings(question, sailings, now, say, language);
  if (answer === null) return null;
  const article = index.articles.find(({ slug }) => slug === answer.article);
  const { route } = question;
  return {
    intent: 'sailings',
    text: answer.text,
    attachments: article === undefined ? [] : sourceOf(article, config),
    suggestions:
      language === articleLanguage(config)
        ? (article?.suggestions.slice(0, 3) ?? config.starters.slice(0, 3))
        : offerPerson(config, say, []),
    memory: {
      ...memory,
      topic: answer.article ?? memory.topic,
      words: turn.text.slice(0, 240),
      ...(pageRoute === undefined ? {} : { pageRoute }),
      ...(route === null ? {} : { route: { from: route.from, to: route.to } }),
      hasOfferedPerson: false,
      misses: 0,
    },
  };
}

/** The fact `route` of the visitor's page, unverified; undefined where the page has none. */
function pageRouteOf(turn: AgentTurn): string | undefined {
  const { route } = givenFactsOf(turn).page;
  return typeof route === 'string' ? route.slice(0, 100) : undefined;
}

const readPageRoute = (text: string | undefined, sailings: Sailings): Route | null =>
  text === undefined ? null : readRoute(foldText(text), sailings, { route: null, words: '' });
