import type { AgentTurn } from '../agent.ts';
import { detectLanguage } from './intents/detect-language.ts';
import { loadIntents } from './intents/load-intents.ts';
import { type MatchedIntent, matchIntent } from './intents/match-intent.ts';
import { type Say, sayIn } from './intents/replies.ts';
import type { KnowledgeAgentConfig } from './knowledge-agent-config.ts';
import type { Memory } from './memory.ts';
import type { KnowledgeIndex } from './passages/knowledge-index.ts';
import type { Reply } from './reply.ts';
import {
  handOver,
  replyToBooking,
  replyToComplaint,
  replyToContact,
  replyToEmergency,
  replyToOffTopic,
  replyToSmallTalk,
  replyWithHelp,
  turnNumberOf,
} from './small-talk.ts';
import { isEnglishWord } from './text/english-words.ts';
import { spellOut } from './text/spell-out.ts';
import { FILLER_WORDS, STOP_WORDS } from './text/stop-words.ts';
import { createSynonyms } from './text/synonyms.ts';
import { isInGlossary } from './text/translate.ts';

const EVERYDAY_SYNONYMS = createSynonyms();

/** Findings in a message before the articles are searched. */
export interface ReadMessage {
  readonly intent: MatchedIntent | null;
  /** The language to answer in: the language of the message, if it can be detected. */
  readonly language: string;
  readonly say: Say;
  /** Whether there are articles in this language, though none that answers. */
  readonly hasArticles?: boolean;
}

/** Reads the intent and the language of a message. */
export function readMessage(
  text: string,
  turn: AgentTurn,
  config: Pick<KnowledgeAgentConfig, 'replies'>,
  index: KnowledgeIndex | null,
): ReadMessage {
  const conversation = turn.language.slice(0, 2).toLowerCase();
  const detected = detectLanguage(text, conversation);
  const isEnglish = (detected ?? conversation) === 'en';
  const intent = matchIntent(isEnglish ? spellOut(text.toLowerCase()) : text, loadIntents(), {
    language: detected ?? conversation,
    isEnglish: detected === 'en',
    isKnown: (word) =>
      index?.surfaces.has(word) === true ||
      isInGlossary(word, detected ?? conversation) ||
      (isEnglish && isEnglishWord(word)) ||
      STOP_WORDS.has(word) ||
      FILLER_WORDS.has(word) ||
      (index?.synonymsOf ?? EVERYDAY_SYNONYMS)(word).length > 0,
  });
  const language = intent?.language ?? detected ?? conversation;
  return { intent, language, say: sayIn(language, config.replies, turnNumberOf(turn)) };
}

// "ok" and "alright" acknowledge an answer, and accept an offer.
const AGREEMENT = /^\W*(?:ok(?:ay|ey|ie)?|k|alright|all right|vale|d'accord|va bene)\b[\s\w]{0,12}\W*$/i;

/** The reply to an intent, or null for a question to the articles. */
export function replyToIntent(
  text: string,
  { intent, language, say }: ReadMessage,
  config: KnowledgeAgentConfig,
  memory: Memory,
): Reply | null {
  if (intent === null) return null;
  switch (intent.action) {
    case 'emergency':
      return replyToEmergency(intent.intent, say, language, config, memory);
    case 'handoff':
      return handOver(config, say, memory, 'AGENT_DECISION', memory.cause ?? 'asked for a person');
    case 'regret':
      return replyToComplaint(say, config, memory);
    case 'booking':
      return replyToBooking(intent.intent, say, config, memory);
    case 'contact':
      return replyToContact(text, say, config, memory);
    case 'assist':
      return replyWithHelp(intent.intent, say, language, config, memory);
    case 'off_topic':
      return replyToOffTopic(say, language, config, memory);
    case 'small_talk': {
      const isYes = intent.intent === 'accept' || (intent.intent === 'thanks' && AGREEMENT.test(text.trim()));
      if (isYes && memory.hasOfferedPerson) {
        const cause = memory.cause ?? 'asked for a person';
        return handOver(config, say, memory, 'COMPLEX_QUERY', memory.misses > 0 ? 'not answered' : cause);
      }
      return replyToSmallTalk(intent.intent, say, language, config, memory);
    }
  }
}
