import type { Agent, AgentAction, AgentTurn } from '../agent.ts';
import { type AgentClock, systemAgentClock } from '../agent-clock.ts';
import { fillTemplate } from '../fill-template.ts';
import { givenFactsOf } from '../given-state.ts';
import { answerOpening } from './answer-opening.ts';
import { answerQuestion, withoutName } from './answer-question.ts';
import { answerSailings } from './answer-sailings.ts';
import { answerSeveral } from './answer-several.ts';
import { createEventId, finishFlow, flowStartedBy, startFlow } from './event-flow.ts';
import { findAnswer } from './find-answer.ts';
import { findBookingReference, withoutBookingReference } from './find-booking-reference.ts';
import { findEntities } from './find-entities.ts';
import { emojiToWords } from './intents/emoji-to-words.ts';
import { type IntentAction, loadIntents } from './intents/load-intents.ts';
import type { KnowledgeAgentConfig } from './knowledge-agent-config.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';
import { MEMORY_KEY, type Memory, readMemory } from './memory.ts';
import { readLanguageRequest } from './read-language-request.ts';
import { type Reply, toSuggestions } from './reply.ts';
import { type ReadMessage, readMessage, replyToIntent } from './reply-to-intent.ts';
import { greet, offerPerson, replyToBooking, replyToFiles } from './small-talk.ts';
import { splitList } from './split-list.ts';
import { splitQuestions } from './split-questions.ts';
import { streamText } from './stream-text.ts';
import { switchLanguage } from './switch-language.ts';
import { splitSentFiles } from './text/split-sent-files.ts';
import { foldText } from './text/tokenize.ts';
import { localTimeAt } from './time/local-day.ts';
import { readSeason } from './time/read-season.ts';
import { isSummer, type Sailings } from './time/sailings.ts';
import { withoutSummerTimes } from './time/without-summer-times.ts';
import { translateMessage } from './translate-message.ts';

/**
 * An agent that answers from articles by full-text ranking: no network, no model, the same answer to the same words.
 * It says so when it does not know, hands over on request, and never fails on its own.
 *
 * @example
 * const index = createKnowledgeIndex(await loadArticles('knowledge/kittiwake'));
 * const agent = createKnowledgeAgent({ ...KNOWLEDGE_AGENT_DEFAULTS, name: 'Ada' }, index);
 */
export function createKnowledgeAgent(
  config: KnowledgeAgentConfig,
  index: KnowledgeIndex,
  clock: AgentClock = systemAgentClock,
  sailings: Sailings | null = null,
): Agent {
  // These take a moment, which belongs to the start and not to the first message: hundreds of expressions are compiled when
  // they are used first.
  loadIntents();
  const knowledge: Knowledge = {
    ...{ index, sailings },
    winterIndex: sailings === null ? index : withoutSummerTimes(index, sailings),
  };
  decideReply(knowledge, WARM_UP, config, clock.now());
  return {
    name: config.name,
    avatarUrl: config.avatarUrl,
    run: (turn) => {
      const filled = fillTexts(config, turn);
      return perform(decideReply(knowledge, turn, filled, clock.now()), turn, filled, clock);
    },
  };
}

/** A message that is compared with everything, and is none of it. */
const WARM_UP: AgentTurn = {
  ...{ kind: 'message', text: 'xyzzy', history: [], language: 'en', state: {}, contextVault: {} },
  ...{ conversationId: '', signal: new AbortController().signal },
};

/** Fills the placeholders in the configured texts with the facts of this conversation. */
function fillTexts(config: KnowledgeAgentConfig, turn: AgentTurn): KnowledgeAgentConfig {
  const facts = givenFactsOf(turn);
  const fill = (text: string): string => fillTemplate(text, facts);
  return {
    ...config,
    greeting: config.greeting === null ? null : fill(config.greeting),
    eventFlows: config.eventFlows.map((flow) => ({
      ...flow,
      text: fill(flow.text),
      receivedText: fill(flow.receivedText),
      timedOutText: fill(flow.timedOutText),
    })),
  };
}

/** What the agent knows. */
interface Knowledge {
  readonly index: KnowledgeIndex;
  /** Without the times of the summer. */
  readonly winterIndex: KnowledgeIndex;
  readonly sailings: Sailings | null;
}

/** The whole answer to a turn, or null for saying nothing. Reads no clock and no network. */
function decideReply(
  knowledge: Knowledge,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  nowMs: number,
): Reply | null {
  if (turn.kind === 'greeting') return greet(config);
  const memory = readMemory(turn.state);
  // An event that none of the flows waits for is none of the visitor's business.
  if (turn.kind === 'event')
    return turn.event === undefined ? null : finishFlow(turn.event, config.eventFlows);
  const sent = splitSentFiles(turn.text.slice(0, MAX_CHARACTERS));
  const text = withoutName(emojiToWords(sent.text), config.name);
  const message = readMessage(text, turn, config, knowledge.index);
  if (sent.text === '' && sent.names.length > 0)
    return replyToFiles(sent.names, message.say, message.language, config, memory);
  if (!/[\p{L}\p{N}]/u.test(text))
    return { intent: 'silence', text: message.say('no_question'), suggestions: config.starters };
  const split = splitQuestions(text);
  // A desk or a booking may be one of several things asked.
  const isPart = message.intent !== null && PARTS.has(message.intent.action) && split.questions.length > 1;
  const isQuestion = message.intent === null || message.intent.action === 'contact';
  const isWhole = split.questions.length === 1 && message.language === 'en';
  const opening = isQuestion && isWhole ? answerOpening(text, config, memory, nowMs) : null;
  if (opening !== null) return opening;
  const reply = isPart ? null : replyToIntent(text, message, config, memory);
  if (reply !== null) return reply;
  const languageCode = readLanguageRequest(wordsOf(text));
  if (languageCode !== null) return switchLanguage(languageCode, turn, config, memory);
  const flow = flowStartedBy(text, config.eventFlows);
  if (flow !== null) return startFlow(flow, createEventId(nowMs), memory);
  return answerFromKnowledge(knowledge, { ...turn, text }, message, config, memory, nowMs);
}

/** Words at the beginning of a question that answer the message before: "cool, so can I" is no question about cool boxes. */
const LEAD_IN =
  /^(?:(?:ok|okay|cool|great|nice|perfect|lovely|brilliant|right|alright|super|sweet|so|and)\b[,.! ]*){1,3}(?=(?:can|could|do|does|is|are|what|whats|when|where|which|who|how|will|would|may|must|should|any)\b)/i;

/** Answers from the timetable and the articles, in English words when the visitor writes in another language. */
function answerFromKnowledge(
  knowledge: Knowledge,
  turn: AgentTurn,
  message: ReadMessage,
  config: KnowledgeAgentConfig,
  memory: Memory,
  nowMs: number,
): Reply {
  const { sailings } = knowledge;
  const index = isWinterMeant(turn.text, config, sailings, nowMs) ? knowledge.winterIndex : knowledge.index;
  const translated = translateMessage(turn.text, message, config, index, sailings);
  const text = (translated ?? turn.text).replace(LEAD_IN, '');
  const reference = findBookingReference(turn.text);
  const asked = reference === null ? text : withoutBookingReference(text, reference);
  const spoken = { ...message, isTranslated: translated !== null };
  const answerOne = (own: AgentTurn, carried: Memory, shorter: KnowledgeAgentConfig): Reply =>
    (message.language === 'en' ? answerOpening(own.text, shorter, carried, nowMs) : null) ??
    answerSailings(own, sailings, index, shorter, carried, nowMs, spoken) ??
    answerQuestion(index, own, shorter, carried, spoken);
  const own = { ...turn, text: asked };
  const split = splitQuestions(asked);
  const parts = split.questions.length > 1 ? split : (splitList(asked, index, memory) ?? split);
  const readPart = (part: AgentTurn): ReadMessage =>
    translated === null ? readMessage(part.text, part, config, index) : { ...message, intent: null };
  const answer =
    parts.questions.length > 1
      ? answerSeveral(parts, own, config, withTopicOf(parts.context, index, memory), {
          ...{ answerOne, readPart, isTranslated: spoken.isTranslated },
        })
      : answerOne(own, memory, config);
  return reference === null ? answer : withReference(asked, answer, config, memory, message);
}

/** What is stated before the questions is their topic: "I have a gift voucher. How long is it valid?" */
function withTopicOf(context: string, index: KnowledgeIndex, memory: Memory): Memory {
  if (context === '') return memory;
  const { certainty, article } = findAnswer(index, context, { ...memory, topic: null });
  return certainty === 'confident' && article !== null ? { ...memory, topic: article.slug } : memory;
}

/** Whether the times of the winter hold: those of the season that the message names, else of today's. */
function isWinterMeant(
  text: string,
  { timeZone }: KnowledgeAgentConfig,
  sailings: Sailings | null,
  nowMs: number,
): boolean {
  if (sailings === null) return false;
  const season = readSeason(foldText(text.slice(0, MAX_CHARACTERS)), sailings);
  return season === null ? !isSummer(sailings, localTimeAt(nowMs, timeZone).day) : season === 'winter';
}

const PARTS: ReadonlySet<IntentAction> = new Set(['booking', 'contact', 'assist', 'small_talk', 'off_topic']);

/** Says that bookings cannot be seen, before what the articles know of the rest of the message. */
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

// A message may hold 128 KB; what decides its topic stands in its first words.
const MAX_CHARACTERS = 4_000;

/** The message as requests for a language are matched against it. */
const wordsOf = (text: string): string =>
  foldText(text.slice(0, 300))
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(/^(?:(?:hi|hello|hey|hallo|so|well|and|but|please|ok) )+/, '')
    .replace(/ (?:please|pls|plz|then)$/, '');

async function* perform(
  reply: Reply | null,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  clock: AgentClock,
): AsyncIterable<AgentAction> {
  turn.signal.throwIfAborted();
  if (reply === null) return;
  yield { type: 'intent', name: reply.intent };
  const found = findEntities(turn.text, config.places);
  if (Object.keys(found).length > 0) yield { type: 'entities', found };
  for (const [name, value] of Object.entries(reply.metrics ?? {})) yield { type: 'metric', name, value };
  // The language changes before the first text in it.
  if (reply.languageCode !== undefined) yield { type: 'language', languageCode: reply.languageCode };
  // An id is valid before anybody has read it.
  yield* reply.waits ?? [];
  if (reply.isUrgent === true) yield { type: 'text', text: reply.text };
  else
    for await (const text of streamText(reply.text, config.pacing, clock, turn.signal))
      yield { type: 'text', text };
  for (const attachment of reply.attachments ?? []) yield { type: 'attachment', attachment };
  for (const callAction of reply.callActions ?? []) yield { type: 'call_action', callAction };
  const suggestions = toSuggestions(reply.suggestions ?? []);
  if (suggestions.length > 0) yield { type: 'suggestions', suggestions };
  if (reply.memory !== undefined) yield { type: 'state', set: { [MEMORY_KEY]: reply.memory } };
  if (reply.ending !== undefined) yield reply.ending;
}
