import type {
  AgentAttachment,
  AgentCallAction,
  AgentSuggestion,
  HandoffAction,
  WaitForEventAction,
} from '../agent.ts';
import type { Memory } from './memory.ts';

/** A passage in another language than the visitor's, within the text of a reply. */
export interface ForeignPassage {
  /** The sentence that announces it; the passage is the next paragraph. */
  readonly announced: string;
  readonly passage: string;
  /** The visitor's language, and the sentence that announces a translation into it. */
  readonly language: string;
  readonly announcedTranslation: string;
}

/** A turn's answer, decided as a whole before the first word is sent. */
export interface Reply {
  /** Recorded as the turn's intent. */
  readonly intent: string;
  readonly text: string;
  /** True for what must be read at once: the text comes whole. */
  readonly isUrgent?: boolean;
  readonly languageCode?: string;
  /** The part of the text that is in the main language of the articles. */
  readonly foreign?: ForeignPassage;
  readonly attachments?: readonly AgentAttachment[];
  readonly callActions?: readonly AgentCallAction[];
  readonly suggestions?: readonly string[];
  readonly metrics?: Readonly<Record<string, string | number | boolean>>;
  /** Names of the tools that failed. */
  readonly failedTools?: readonly string[];
  readonly waits?: readonly WaitForEventAction[];
  /** The memory for the next turn; absent: it stays unchanged. */
  readonly memory?: Memory;
  readonly ending?: HandoffAction | { readonly type: 'end' };
}

// Three choices and a person: more push the answer out of sight.
const MAX_SUGGESTIONS = 4;

/** Suggestions as they go over the wire: no repeats, at most four. */
export function toSuggestions(texts: readonly string[]): readonly AgentSuggestion[] {
  return [...new Set(texts)]
    .slice(0, MAX_SUGGESTIONS)
    .map((message_text) => ({ message_text, payload: null }));
}
