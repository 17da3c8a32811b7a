import type { Agent, AgentAction, AgentTurn } from '../agent.ts';
import { type AgentClock, systemAgentClock } from '../agent-clock.ts';
import { contextVariablesOf } from '../conversation-variables.ts';
import { fillTemplate } from '../fill-template.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import { answerByTool } from './answers/answer-by-tool.ts';
import { answerClock } from './answers/answer-clock.ts';
import {
  answerFromKnowledge,
  answerInLanguage,
  asksForHours,
  inLanguage,
  type Knowledge,
} from './answers/answer-from-knowledge.ts';
import { answerOpening } from './answers/answer-opening.ts';
import { withoutName } from './answers/answer-question.ts';
import { createEventId, finishFlow, flowStartedBy, startFlow } from './event-flow.ts';
import { findAnswer } from './find-answer.ts';
import { emojiToWords } from './intents/emoji-to-words.ts';
import type { IntentAction } from './intents/load-intents.ts';
import { sayIn } from './intents/replies.ts';
import type { KnowledgeAgentConfig } from './knowledge-agent-config.ts';
import { createTriggerMatcher } from './match-trigger.ts';
import { MEMORY_KEY, readMemory } from './memory.ts';
import type { KnowledgeIndex } from './passages/knowledge-index.ts';
import { type ForeignLanguages, NO_TRANSLATIONS } from './passages/translations.ts';
import { findEntities } from './question/find-entities.ts';
import { readLanguageRequest } from './question/read-language-request.ts';
import { splitQuestions } from './question/split-questions.ts';
import { followLanguage, switchLanguage } from './question/switch-language.ts';
import { type Reply, toSuggestions } from './reply.ts';
import { type ReadMessage, readMessage, replyToIntent } from './reply-to-intent.ts';
import { greet, isPicture, replyToFiles, replyToOffTopic } from './small-talk.ts';
import { splitList } from './split-list.ts';
import { streamText } from './stream-text.ts';
import { GENERIC_STEMS } from './text/generic-stems.ts';
import { splitSentFiles } from './text/split-sent-files.ts';
import { FILLER_WORDS } from './text/stop-words.ts';
import { foldText, tokenize } from './text/tokenize.ts';

/**
 * An agent that answers from articles by full-text ranking: no network, no model, the same answer to the same words.
 * It says so when it does not know, hands over on request, and never fails on its own.
 *
 * @example
 * const index = createKnowledgeIndex(await loadArticles('articles'));
 * const agent = createKnowledgeAgent({ ...KNOWLEDGE_AGENT_DEFAULTS, name: 'Ada' }, index);
 */
export function createKnowledgeAgent(
  config: KnowledgeAgentConfig,
  index: KnowledgeIndex,
  clock: AgentClock = systemAgentClock,
  tools: readonly AgentTool[] = [],
  languages: ForeignLanguages = {},
): Agent {
  const { translations = NO_TRANSLATIONS } = languages;
  // Done at the start, so that the first message is not slow: hundreds of expressions are compiled when
  // they are used first.
  readMessage('xyzzy', WARM_UP, config, index);
  findAnswer(index, 'xyzzy', readMemory({}));
  const match = createTriggerMatcher(tools, index.articles, index.synonymsOf);
  const knowledge: Knowledge = { index, translations, toolbox: { tools, match } };
  return {
    name: config.name,
    avatarUrl: config.avatarUrl,
    run: (turn) => {
      const filled = fillTexts(config, turn);
      const decide = async (): Promise<Reply | null> => {
        const reply = await decideWithPictures(knowledge, turn, filled, clock.now());
        return reply === null ? null : await withTranslation(reply, turn, languages);
      };
      return perform(decide, turn, filled, clock);
    },
  };
}

/** A message that matches nothing, so that it is compared with every phrase. */
const WARM_UP: AgentTurn = {
  ...{ kind: 'message', text: 'xyzzy', history: [], language: 'en', state: {}, contextVault: {} },
  ...{ conversationId: '', signal: new AbortController().signal },
};

/** Fills the placeholders in the configured texts with the variables of this conversation. */
function fillTexts(config: KnowledgeAgentConfig, turn: AgentTurn): KnowledgeAgentConfig {
  const facts = contextVariablesOf(turn);
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

/** The reply with its passage in the visitor's language, where the project has an endpoint that translates. */
async function withTranslation(
  reply: Reply,
  { projectId, signal }: AgentTurn,
  { translate, onFailure = () => {} }: ForeignLanguages,
): Promise<Reply> {
  const { foreign } = reply;
  if (foreign === undefined || translate === undefined || projectId === undefined) return reply;
  const { announced, passage, language, announcedTranslation } = foreign;
  try {
    const translated = await translate(projectId, passage, language, signal);
    if (translated === null) return reply;
    const text = reply.text.replace(
      `${announced}\n\n${passage}`,
      () => `${announcedTranslation}\n\n${translated}`,
    );
    return { ...reply, text };
  } catch (error) {
    signal.throwIfAborted();
    onFailure(error);
    return reply;
  }
}

/** Whether the words that sound off-topic are the topic of an article, such as fleas in the articles of a vet. */
function isOwnTopic({ intent }: ReadMessage, { prominent, exactPostings }: KnowledgeIndex): boolean {
  if (intent?.action !== 'off_topic') return false;
  const topics = tokenize(intent.said).filter(
    ({ surface, stem, isStopWord }) => !isStopWord && !FILLER_WORDS.has(surface) && !GENERIC_STEMS.has(stem),
  );
  // "What should I cook?" is not about a cooked breakfast.
  const isAbout = (article: number): boolean =>
    topics.every(
      ({ surface, stem }) =>
        prominent.get(stem)?.has(article) === true && exactPostings.get(surface)?.has(article) === true,
    );
  return [...(prominent.get(topics[0]?.stem ?? '') ?? [])].some(isAbout);
}

/** Whether the company has no page for bookings or orders, but an article about them. */
const isBookingInArticles = (
  text: string,
  { intent }: ReadMessage,
  config: KnowledgeAgentConfig,
  index: KnowledgeIndex,
): boolean =>
  intent?.action === 'booking' &&
  config.bookingsUrl === null &&
  findAnswer(index, text, readMemory({})).certainty === 'confident';

const POINTERS: ReadonlySet<string> = new Set('this that it these here one'.split(' '));
const MAX_POINTING_WORDS = 6;

/** Whether a short message ends with a pronoun that refers to the visitor's screen: "What does this mean?" */
function points(text: string): boolean {
  const words = text.toLowerCase().match(/[a-z']+/g) ?? [];
  return words.length <= MAX_POINTING_WORDS && POINTERS.has(words.at(-1) ?? '');
}

/** The answer to a turn, with a sentence about the pictures that came with it. */
async function decideWithPictures(
  knowledge: Knowledge,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  nowMs: number,
): Promise<Reply | null> {
  const reply = await decideReply(knowledge, turn, config, nowMs);
  const { text, names } = splitSentFiles(turn.text.slice(0, MAX_CHARACTERS));
  if (reply === null || reply.isUrgent === true || text === '' || !names.some(isPicture)) return reply;
  const { say, language } = readMessage(text, turn, config, knowledge.index);
  // "What's this?" asks about the picture.
  if (reply.intent === 'out_of_domain' || points(text))
    return replyToFiles(names, say, language, config, readMemory(turn.state));
  return { ...reply, text: `${say('picture')}\n\n${reply.text}` };
}

/** The whole answer to a turn, or null for saying nothing. Reads no clock, and no network but that of the tools. */
async function decideReply(
  knowledge: Knowledge,
  turn: AgentTurn,
  main: KnowledgeAgentConfig,
  nowMs: number,
): Promise<Reply | null> {
  if (turn.kind === 'greeting') {
    const language = followLanguage(turn, main) ?? turn.language;
    return greet(main, sayIn(language.slice(0, 2).toLowerCase(), main.replies, 0));
  }
  const memory = readMemory(turn.state);
  // An event that no flow waits for does not concern the visitor.
  if (turn.kind === 'event') return turn.event === undefined ? null : finishFlow(turn.event, main.eventFlows);
  const sent = splitSentFiles(turn.text.slice(0, MAX_CHARACTERS));
  const text = [main.name, main.company ?? ''].reduce(withoutName, emojiToWords(sent.text));
  const message = readMessage(text, turn, main, knowledge.index);
  const config = knowledge.translations.has(message.language) ? inLanguage(main, message.language) : main;
  if (sent.text === '' && sent.names.length > 0)
    return replyToFiles(sent.names, message.say, message.language, config, memory);
  if (!/[\p{L}\p{N}]/u.test(text))
    return { intent: 'silence', text: message.say('no_question'), suggestions: config.starters };
  if (looksLikeCode(text)) return replyToOffTopic(message.say, message.language, config, memory);
  const split = splitQuestions(text);
  const isSeveral = split.questions.length > 1 || splitList(text, knowledge.index, memory) !== null;
  // A desk or a booking may be one of several things asked.
  const isPart = message.intent !== null && PARTS.has(message.intent.action) && isSeveral;
  const isQuestion = message.intent === null || message.intent.action === 'contact';
  const isWhole = split.questions.length === 1 && message.language === 'en';
  const opening =
    isQuestion && isWhole
      ? (answerClock(text, config, nowMs) ??
        answerOpening(text, config, memory, message.say, knowledge.index, nowMs))
      : null;
  if (opening !== null) return opening;
  // Before saying that bookings cannot be seen: a tool may see them.
  if (message.intent?.intent === 'booking' && !isPart) {
    const own = { ...turn, text };
    const { reply } = await answerByTool(
      knowledge.toolbox,
      own,
      knowledge.index,
      config,
      memory,
      nowMs,
      message,
    );
    if (reply !== null) return reply;
  }
  const reply =
    isPart ||
    asksForHours(text, message, config, knowledge.index) ||
    isBookingInArticles(text, message, config, knowledge.index) ||
    isOwnTopic(message, knowledge.index)
      ? null
      : replyToIntent(text, message, config, memory);
  if (reply !== null) return reply;
  const languageCode = readLanguageRequest(wordsOf(text));
  if (languageCode !== null)
    return switchLanguage(languageCode, turn, main, memory, new Set(knowledge.translations.keys()));
  const flow = flowStartedBy(text, config.eventFlows);
  if (flow !== null) return startFlow(flow, createEventId(nowMs), memory);
  const asked = { ...turn, text };
  if (config === main) return answerFromKnowledge(knowledge, asked, message, main, memory, nowMs);
  return answerInLanguage(knowledge, asked, message, { main, translated: config }, memory, nowMs);
}

// Marks of programs, queries and HTML that visitors' sentences do not contain.
const CODE =
  /<\/?[a-z][\w-]*(?:\s[^<>]{0,80})?>|\b(?:select|delete|insert|update|drop)\b.{1,60}\b(?:from|into|table|set)\b.{0,60}[;=*]|[{};]\s*$[\s\S]{0,200}[{};]\s*$|\b(?:function|def|class|const|let|var|import|return)\b[^.?!]{0,60}[(){};=]{2}|\$\{|\{\{.{0,40}\}\}/im;

/** Whether a message is a piece of a program rather than a question. */
const looksLikeCode = (text: string): boolean => CODE.test(text.slice(0, 1_000));

const PARTS: ReadonlySet<IntentAction> = new Set(['booking', 'contact', 'assist', 'small_talk', 'off_topic']);

// A message may hold 128 KB, but its first words decide its topic.
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
  decide: () => Promise<Reply | null>,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  clock: AgentClock,
): AsyncIterable<AgentAction> {
  turn.signal.throwIfAborted();
  const reply = await decide();
  turn.signal.throwIfAborted();
  if (reply === null) return;
  yield { type: 'intent', name: reply.intent };
  const found = findEntities(turn.text, config.places);
  if (Object.keys(found).length > 0) yield { type: 'entities', found };
  for (const name of reply.failedTools ?? []) yield { type: 'function_error', name };
  for (const [name, value] of Object.entries(reply.metrics ?? {})) yield { type: 'metric', name, value };
  // The language changes before the first text in it.
  const languageCode = reply.languageCode ?? followLanguage(turn, config);
  if (languageCode !== undefined) yield { type: 'language', languageCode };
  // The id is valid before the visitor reads it.
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
