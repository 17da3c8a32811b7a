import type { AgentAttachment, AgentTurn } from '../../agent.ts';
import { contextVariablesOf } from '../../conversation-variables.ts';
import { fillTemplate } from '../../fill-template.ts';
import { factsOfDay, narrowToDay } from '../excerpts/narrow-to-day.ts';
import { resolveLinks } from '../excerpts/resolve-links.ts';
import { selectColumn, selectFacts } from '../excerpts/select-facts.ts';
import { selectPassage } from '../excerpts/select-passage.ts';
import { type FoundAnswer, findAnswer } from '../find-answer.ts';
import type { Say } from '../intents/replies.ts';
import type { KnowledgeAgentConfig } from '../knowledge-agent-config.ts';
import { type Memory, rememberWords } from '../memory.ts';
import { type Article, languageOfSlug, plainSlug } from '../passages/article.ts';
import type { KnowledgeIndex } from '../passages/knowledge-index.ts';
import type { Reply } from '../reply.ts';
import type { ReadMessage } from '../reply-to-intent.ts';
import {
  articleLanguage,
  callAction,
  offerPerson,
  personOffer,
  replyToForeignLanguage,
  sayArticleLanguage,
} from '../small-talk.ts';
import type { Slots } from '../text/slots.ts';
import { toEnglish } from '../text/translate.ts';
import { type LocalTime, localTimeAt } from '../time/local-day.ts';
import { readWeekday, saysDay } from '../time/read-weekday.ts';
import { sayOpenByArticle } from './answer-opening.ts';

/**
 * Answers one question from the articles, or from the one that was found for it in another language, or says that they hold
 * no answer and shows a way on.
 */
export function answerQuestion(
  index: KnowledgeIndex,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  memory: Memory,
  message: Pick<ReadMessage, 'language' | 'say' | 'hasArticles'> & { readonly isTranslated: boolean },
  nowMs: number,
  article: Article | null = null,
): Reply {
  const asked = findAnswer(index, turn.text, memory);
  const found = article === null ? asked : { ...asked, article };
  const isForeign = message.language !== articleLanguage(config);
  if (isForeign) {
    const least = message.isTranslated ? 0 : CERTAIN_IN_SPITE_OF_LANGUAGE;
    const text =
      found.article === null || found.confidence < least
        ? null
        : passageOf(found.article, found, turn, config, index.slots, nowMs, message.say);
    return found.article === null || text === null
      ? replyToForeignLanguage(message.say, config, memory)
      : answerInArticleLanguage(found.article, text, found, turn, config, message);
  }
  if (found.article === null) return offerChoices(turn.text, found, config, memory, message.say);
  const text = passageOf(found.article, found, turn, config, index.slots, nowMs, message.say);
  if (text === null) return offerChoices(turn.text, found, config, memory, message.say);
  return answerFrom(found.article, text, found, turn, config, message.say);
}

// Words that two languages share find an article by chance.
const CERTAIN_IN_SPITE_OF_LANGUAGE = 0.5;

/** Removes the agent's name, which says nothing about the topic. */
export function withoutName(text: string, name: string): string {
  // Begins and ends at a letter, because optional signs around the name would be tried at every sign of the text.
  const pattern = (name.match(/[\p{L}\p{N}]+/gu) ?? []).join('\\W+');
  if (pattern === '') return text;
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu'), ' ');
}

/** What the article says to the question; before it, whether it is open now if that is asked. */
function passageOf(
  article: Article,
  found: FoundAnswer,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  slots: Slots,
  nowMs: number,
  say: Say,
): string | null {
  const now = localTimeAt(nowMs, config.timeZone);
  const passage = newPassageOf(article, found, turn, config, slots, now);
  const open = passage === null ? null : sayOpenByArticle(turn.text, article, now, say);
  return open === null ? passage : `${open}\n\n${passage}`;
}

/**
 * Answers the question from the article without repeating the last answer: if that held the same passage, returns only the
 * facts asked for now. Null when nothing is left to say.
 */
function newPassageOf(
  article: Article,
  found: FoundAnswer,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  slots: Slots,
  now: LocalTime,
): string | null {
  const facts = contextVariablesOf(turn);
  const said = toEnglish(turn.text, article.language);
  // "And Mill Road?" asks for the same day; "when are you open?" for all of them.
  const isSameDay = found.isFollowUp && !saysDay(said) && !ASKS_HOURS.test(said);
  const weekday = readWeekday(isSameDay ? toEnglish(found.followed, article.language) : said, now);
  const language = languageOfSlug(article.slug);
  const fill = (text: string): string =>
    fillTemplate(resolveLinks(text, config.helpBaseUrl, language), facts);
  const narrow = (text: string): string =>
    weekday === null ? text : narrowToDay(text, weekday, article.language);
  const show = (text: string): string => narrow(fill(text));
  const last = turn.history.findLast(({ author }) => author === 'agent')?.text ?? '';
  const whole = fill(selectPassage(article, found.concepts, config.maxAnswerCharacters, slots));
  const passage = narrow(whole);
  const wanted = selectFacts(article, found.concepts, slots).map(show);
  const isColumn = found.isFollowUp && (found.isBare || (isSameDay && weekday !== null));
  const column = isColumn ? selectColumn(article, turn.text).map(fill) : [];
  if (column.length > 0)
    return listFacts(weekday === null ? column : factsOfDay(column, weekday, article.language));
  const asList = wanted.length > 1 ? listFacts(wanted) : wanted.join('');
  // "And on Saturday?" after "tomorrow", which is one, asks for the same rows.
  const isDayAgain = passage !== whole && saysDay(said);
  if (isDayAgain || !last.includes(passage)) {
    const missing = wanted.filter((fact) => !isSaidIn(whole, fact)).slice(0, MAX_MISSING_FACTS);
    return [passage, listFacts(missing)].filter((part) => part !== '').join('\n\n');
  }
  const other = selectPassage(article, found.concepts, config.maxAnswerCharacters, slots, (text) =>
    last.includes(show(text)),
  );
  const isNewList = asList !== '' && !last.endsWith(asList);
  // A message without a topic word asks for more, not for one of the facts, unless it asks for a figure.
  const asksForMore = found.isBare && !ASKS_FIGURE.test(said.slice(0, MAX_FIGURE_CHARACTERS));
  if (isNewList && !(asksForMore && other !== '')) return asList;
  if (other !== '') return show(other);
  // The whole passage was shown before: a question gets it again, a request for more does not.
  return found.isBare && found.confidence < 1 && !ASKS_AGAIN.test(said) ? null : passage;
}

/** Formats facts as a list. A fact that contains a list is a separate paragraph. */
const listFacts = (facts: readonly string[]): string =>
  facts
    .map((fact) => (fact.includes('\n') ? `\n${fact.replace('\n', '\n\n')}\n` : `- ${fact}`))
    .join('\n')
    .trim();

const ASKS_HOURS = /\b(?:open|opens|opening|hours|times?)\b/i;
const ASKS_FIGURE = /\b(?:how (?:much|long|many)|(?:un)?til+ when|from when|what times?|price|cost)\b/i;
const ASKS_AGAIN =
  /^\W*(?:and |but |so |ok )?(?:(?:on|at|in|by|for|from|until|till|to|with) what|(?:(?:on|at|in|by|for|from|until|till|to|with) )?(?:how|when|where|who|which))\b(?!.{0,40}\b(?:more|else|other|another|further)\b)/i;
const MAX_FIGURE_CHARACTERS = 100;

const MAX_MISSING_FACTS = 2;

/** Whether a passage contains a fact. A table contains a row if it has all its cells. */
const isSaidIn = (passage: string, fact: string): boolean =>
  passage.includes(fact) ||
  fact.split(/[:,] /).every((part) => passage.includes(part.split(' ').at(-1) ?? ''));

function answerFrom(
  article: Article,
  passage: string,
  found: FoundAnswer,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  say: Say,
): Reply {
  return {
    intent: plainSlug(article.slug),
    text: passage,
    attachments: sourceOf(article, config, say),
    ...(mentionsPhone(passage, config) ? callAction(config) : {}),
    suggestions: article.suggestions.filter((each) => each !== turn.text.trim()).slice(0, MAX_CHOICES),
    metrics: metricsOf(found),
    memory: {
      topic: article.slug,
      words: rememberWords(turn.text, found.isFollowUp ? found.followed : null),
      hasOfferedPerson: false,
      misses: 0,
    },
  };
}

/** Answers from an article that is not in the visitor's language, says so, and offers a person. */
function answerInArticleLanguage(
  article: Article,
  passage: string,
  found: FoundAnswer,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  { say, language, hasArticles = false }: Pick<ReadMessage, 'say' | 'language' | 'hasArticles'>,
): Reply {
  const reply = answerFrom(article, passage, found, turn, config, say);
  const { memory } = reply;
  const announced = sayArticleLanguage(hasArticles ? 'untranslated' : 'foreign_article', say, config);
  return {
    ...reply,
    text: [announced, passage, personOffer(config, say)].filter((part) => part !== '').join('\n\n'),
    foreign: { announced, passage, language, announcedTranslation: say('translated') },
    suggestions: offerPerson(config, say, []),
    ...(memory === undefined ? {} : { memory: { ...memory, hasOfferedPerson: config.handoff !== null } }),
  };
}

const MAX_CHOICES = 3;
const MAX_NEAREST = 2;

/** Without an answer: an honest sentence, the two nearest articles, and a person. */
function offerChoices(
  asked: string,
  found: FoundAnswer,
  config: KnowledgeAgentConfig,
  memory: Memory,
  say: Say,
): Reply {
  const near = found.nearest.slice(0, MAX_NEAREST);
  const isAgain = memory.misses > 0;
  const opening = isAgain ? say('unknown_again') : say('unknown');
  const wayOn =
    config.handoff !== null
      ? personOffer(config, say)
      : config.phone !== null
        ? say('phone_offer')
        : say('other_words');
  const list = near.length > 0 ? `\n\n${near.map(({ title }) => `- ${title}`).join('\n')}\n\n` : ' ';
  const offers = near.length > 0 ? near.map(askAbout) : config.starters.slice(0, 2);
  return {
    intent: 'out_of_domain',
    text: `${opening}${list}${wayOn}`,
    ...callAction(config),
    // After a second question without an answer, a person is the better offer, so it comes first.
    suggestions: isAgain ? offerPerson(config, say, []).concat(offers) : offerPerson(config, say, offers),
    metrics: metricsOf(found),
    memory: {
      ...memory,
      hasOfferedPerson: config.handoff !== null,
      misses: memory.misses + 1,
      missed: rememberWords(asked, found.isFollowUp || found.isBare ? found.followed : null),
    },
  };
}

const askAbout = (article: Article): string => article.questions[0] ?? article.title;

function metricsOf(found: FoundAnswer): Readonly<Record<string, string | number | boolean>> {
  return {
    knowledge_confidence: Math.round(found.confidence * 100) / 100,
    out_of_domain: found.certainty === 'unknown',
  };
}

/** The card that leads to the whole article. Without a help site there is nothing to open, hence no card. */
export function sourceOf(
  article: Article,
  config: Pick<KnowledgeAgentConfig, 'helpBaseUrl'>,
  say: Say,
): readonly AgentAttachment[] {
  if (config.helpBaseUrl === null || article.hasPage === false) return [];
  return [
    {
      content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
      content_url: `${config.helpBaseUrl.replace(/(?<!\/)\/+$/, '')}/${article.slug}`,
      title: article.title,
      preview_image_url: null,
      call_to_action_text: say('read_article'),
    },
  ];
}

const digits = (text: string): string => text.replace(/\D/g, '');

/** Whether a text has the company's phone number. Compares the last digits, because national numbers lack the country code. */
function mentionsPhone(text: string, config: KnowledgeAgentConfig): boolean {
  if (config.phone === null) return false;
  const end = digits(config.phone.number).slice(-8);
  return end.length >= 6 && digits(text).includes(end);
}
