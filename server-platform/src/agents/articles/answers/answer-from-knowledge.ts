import { setImmediate } from 'node:timers/promises';
import type { AgentTurn } from '../../agent.ts';
import { findNamedContact } from '../contact.ts';
import { WHEN } from '../excerpts/select-passage.ts';
import { findAnswer } from '../find-answer.ts';
import type { KnowledgeAgentConfig } from '../knowledge-agent-config.ts';
import { type Memory, readMemory } from '../memory.ts';
import { plainSlug } from '../passages/article.ts';
import type { KnowledgeIndex } from '../passages/knowledge-index.ts';
import type { Translations } from '../passages/translations.ts';
import { findBookingReference, withoutBookingReference } from '../question/find-booking-reference.ts';
import { splitQuestions } from '../question/split-questions.ts';
import { translateMessage } from '../question/translate-message.ts';
import type { Reply } from '../reply.ts';
import { type ReadMessage, readMessage } from '../reply-to-intent.ts';
import { offerPerson, replyToBooking } from '../small-talk.ts';
import { splitList } from '../split-list.ts';
import { foldText } from '../text/tokenize.ts';
import { answerByTool, type Toolbox } from './answer-by-tool.ts';
import { answerOpening } from './answer-opening.ts';
import { answerQuestion } from './answer-question.ts';
import { answerSeveral, isUnanswered } from './answer-several.ts';

/** Sources of the agent's answers. */
export interface Knowledge {
  readonly index: KnowledgeIndex;
  readonly translations: Translations;
  readonly toolbox: Toolbox;
}

const HOURS = /\b(?:open|opens|opened|opening|hours|close|closes|closed|closing|shut|shuts)\b/i;

/** Whether the visitor asks for opening hours that an article lists. The hours of a contact are answered elsewhere. */
export function asksForHours(
  text: string,
  { intent }: ReadMessage,
  { contacts }: KnowledgeAgentConfig,
  index: KnowledgeIndex,
): boolean {
  if (intent?.action !== 'contact' || !HOURS.test(text) || findNamedContact(text, contacts) !== null)
    return false;
  const { certainty, article } = findAnswer(index, text, readMemory({}));
  const hasHours = article?.sections.some(({ blocks }) => WHEN.test(blocks.join(' '))) === true;
  return certainty === 'confident' && hasHours && !/\b(?:phone|telephone|call|ring|line|lines)\b/i.test(text);
}

/** Returns the settings for a visitor in whose language there are articles. The starters are in the main language. */
export const inLanguage = (config: KnowledgeAgentConfig, language: string): KnowledgeAgentConfig => ({
  ...config,
  languages: [language, ...config.languages],
  starters: [],
});

/**
 * Answers by the tools, then from the articles in the visitor's language, then from those in the main one, whose
 * translation is shown where there is one. Without an answer the reply names the nearest ones in the visitor's language.
 */
export async function answerInLanguage(
  knowledge: Knowledge,
  turn: AgentTurn,
  message: ReadMessage,
  { main, translated }: { readonly main: KnowledgeAgentConfig; readonly translated: KnowledgeAgentConfig },
  memory: Memory,
  nowMs: number,
): Promise<Reply> {
  const { language } = message;
  const index = await knowledge.translations.get(language)?.();
  if (index === undefined) throw new RangeError(`There are no articles in ${language}.`);
  const words = translateMessage(turn.text, message, main, knowledge.index);
  const asked = { ...turn, text: words ?? turn.text };
  const inMain = withTopicIn(memory, null);
  const byTool = await answerByTool(knowledge.toolbox, asked, knowledge.index, main, inMain, nowMs, message);
  if (byTool.reply !== null) return byTool.reply;
  const articles = { ...knowledge, toolbox: NO_TOOLS };
  const inOwn = withTopicIn(memory, language);
  const own = await answerFromKnowledge({ ...articles, index }, turn, message, translated, inOwn, nowMs);
  const failed = { failedTools: byTool.failed };
  if (!isUnanswered(own)) return { ...own, ...failed };
  const other = await answerFromKnowledge(
    articles,
    turn,
    { ...message, hasArticles: true },
    main,
    inMain,
    nowMs,
  );
  if (isUnanswered(other)) return { ...own, ...failed };
  const topic = other.memory?.topic ?? null;
  const translation = index.articles.find(({ slug }) => slug === `${language}/${topic}`);
  if (translation === undefined) return { ...other, ...failed };
  const spoken = { ...message, isTranslated: false };
  return { ...answerQuestion(index, turn, translated, inOwn, spoken, nowMs, translation), ...failed };
}

const NO_TOOLS: Toolbox = { tools: [], match: () => null };

/** Returns the memory with the article in one language instead of its translations. Null: the main language. */
const withTopicIn = (memory: Memory, language: string | null): Memory => {
  const slug = memory.topic === null ? null : plainSlug(memory.topic);
  return { ...memory, topic: slug === null || language === null ? slug : `${language}/${slug}` };
};

/** Words at the beginning of a question that answer the previous message: "cool, so can I" does not ask about cool boxes. */
const LEAD_IN =
  /^(?:(?:ok|okay|cool|great|nice|perfect|lovely|brilliant|right|alright|super|sweet|so|and)\b[,.! ]*){1,3}(?=(?:can|could|do|does|is|are|what|whats|when|where|which|who|how|will|would|may|must|should|any)\b)/i;

/** Answers by the tools and from the articles, in English words when the visitor writes in another language. */
export async function answerFromKnowledge(
  { index, toolbox }: Knowledge,
  turn: AgentTurn,
  message: ReadMessage,
  config: KnowledgeAgentConfig,
  memory: Memory,
  nowMs: number,
): Promise<Reply> {
  const translated = translateMessage(turn.text, message, config, index);
  const text = (translated ?? turn.text).replace(LEAD_IN, '');
  const reference = findBookingReference(turn.text);
  const asked = reference === null ? text : withoutBookingReference(text, reference);
  const spoken = { ...message, isTranslated: translated !== null };
  const answerOne = async (
    own: AgentTurn,
    carried: Memory,
    shorter: KnowledgeAgentConfig,
  ): Promise<Reply> => {
    // A question takes milliseconds of a thread that serves all visitors.
    await setImmediate();
    const opening =
      message.language === 'en' ? answerOpening(own.text, shorter, carried, message.say, index, nowMs) : null;
    if (opening !== null) return opening;
    const { reply, failed } = await answerByTool(toolbox, own, index, shorter, carried, nowMs, spoken);
    const answer = reply ?? answerQuestion(index, own, shorter, carried, spoken, nowMs);
    return failed.length === 0 ? answer : { ...answer, failedTools: failed };
  };
  const own = { ...turn, text: asked };
  const looked =
    reference === null
      ? null
      : await answerByTool(toolbox, { ...turn, text }, index, config, memory, nowMs, spoken);
  if (looked !== null && looked.reply !== null) return looked.reply;
  const split = splitQuestions(asked);
  const parts = split.questions.length > 1 ? split : (splitList(asked, index, memory) ?? split);
  const readPart = (part: AgentTurn): ReadMessage => {
    if (translated !== null) return { ...message, intent: null };
    const read = readMessage(part.text, part, config, index);
    return asksForHours(part.text, read, config, index) ? { ...read, intent: null } : read;
  };
  const answer =
    parts.questions.length > 1
      ? await answerSeveral(parts, own, config, withTopicOf(parts.context, index, memory), {
          ...{ answerOne, readPart, isTranslated: spoken.isTranslated },
        })
      : await answerOne(own, memory, config);
  if (looked === null) return answer;
  return { ...withReference(asked, answer, config, memory, message), failedTools: looked.failed };
}

/** Statements before the questions give their topic: "I have a gift voucher. How long is it valid?" */
function withTopicOf(context: string, index: KnowledgeIndex, memory: Memory): Memory {
  if (context === '') return memory;
  const { certainty, article } = findAnswer(index, context, { ...memory, topic: null });
  return certainty === 'confident' && article !== null ? { ...memory, topic: article.slug } : memory;
}

/** Says that the agent cannot see bookings, before the articles' answer to the rest of the message. */
function withReference(
  asked: string,
  answer: Reply,
  config: KnowledgeAgentConfig,
  memory: Memory,
  { say }: ReadMessage,
): Reply {
  const words = foldText(asked).split(/[^\p{L}]+/u);
  const hasQuestion = words.filter((word) => word.length > 2).length > 2;
  if (!hasQuestion || (answer.attachments ?? []).length === 0)
    return replyToBooking('booking', say, config, memory);
  const about = replyToBooking('booking', say, config, memory);
  return {
    ...answer,
    text: `${about.text}\n\n${answer.text}`,
    suggestions: offerPerson(config, say, answer.suggestions?.slice(0, 2) ?? []),
    ...(answer.memory === undefined
      ? {}
      : { memory: { ...answer.memory, hasOfferedPerson: config.handoff !== null } }),
  };
}
