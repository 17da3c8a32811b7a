import { STOPPED_KEY } from 'natter/protocol';
import type { AgentAttachment, AgentCallAction, AgentSuggestion } from '../../agents/index.ts';
import type { EventDraft } from '../conversation/index.ts';

/** Options of an answer stream. */
export interface AnswerStreamOptions {
  readonly messageId: string;
  readonly isStreaming: boolean;
  readonly agentName: string;
  readonly agentAvatarUrl: string | null;
  /** Stores and then publishes. A rejection ends the answer. */
  readonly append: (drafts: readonly EventDraft[]) => Promise<void>;
}

/** Fields of an answer's last event besides its text. */
interface AnswerEnd {
  readonly endsConversation: boolean;
  /** Whether the visitor stopped the answer. Source: EXT-4. */
  readonly isStopped?: boolean;
}

/** The last event of an answer, which the caller stores together with its consequences. */
export type AnswerEnding = readonly EventDraft[];

// A chunk stays well below the frame limit even when every character takes six bytes in JSON.
const MAX_CHUNK_LENGTH = 16_384;
// An agent that writes faster than the store commits is paused here.
const MAX_PENDING_LENGTH = 65_536;

/**
 * Writes one answer: as chunks while it is generated, or as one message when it is complete.
 *
 * At most one append is in flight. Text that arrives meanwhile is buffered and becomes the next chunk, so chunks keep
 * the agent's pace while commits are fast enough, and grow otherwise. The first piece waits for the end of the current
 * event loop turn, so that an answer generated at once is one chunk.
 *
 * Source: section 9, STR-1 and STR-2.
 */
export class AnswerStream {
  readonly #options: AnswerStreamOptions;
  #text = '';
  #attachments: AgentAttachment[] = [];
  #suggestions: AgentSuggestion[] = [];
  #callActions: AgentCallAction[] = [];
  #chunkIndex = 0;
  #draining: Promise<void> | null = null;
  #isOver = false;
  #failure: { readonly cause: unknown } | null = null;

  constructor(options: AnswerStreamOptions) {
    this.#options = options;
  }

  /** True once part of the answer was passed to the log. */
  get hasStarted(): boolean {
    return this.#chunkIndex > 0;
  }

  /** Adds text. Resolves when the agent may continue; rejects when a part could not be stored. */
  async write(text: string): Promise<void> {
    this.#text += text;
    if (!this.#options.isStreaming) return;
    this.#draining ??= this.#drain();
    if (this.#text.length > MAX_PENDING_LENGTH) await this.#draining;
    this.#throwFailure();
  }

  attach(attachment: AgentAttachment): void {
    this.#attachments.push(attachment);
  }

  suggest(suggestions: readonly AgentSuggestion[]): void {
    this.#suggestions.push(...suggestions);
  }

  offerCall(callAction: AgentCallAction): void {
    this.#callActions.push(callAction);
  }

  /** Stores `drafts` after the text written so far, for events that belong between two pieces of text. */
  async insertEvents(drafts: readonly EventDraft[]): Promise<void> {
    await this.#draining;
    this.#throwFailure();
    await this.#options.append(drafts);
  }

  /**
   * Ends the answer: waits for pending writes and returns the rest of the text, which the caller stores together with
   * its consequences. Empty if there was no text. Nothing may be written afterwards.
   */
  async finish(options: AnswerEnd): Promise<AnswerEnding> {
    this.#isOver = true;
    await this.#draining;
    this.#throwFailure();
    const rest: EventDraft[] = [];
    while (this.#options.isStreaming && this.#text.length > MAX_CHUNK_LENGTH) rest.push(this.#takeChunk());
    const isEmpty =
      this.#text === '' &&
      this.#attachments.length + this.#suggestions.length + this.#callActions.length === 0;
    if (isEmpty && !this.hasStarted) return [];
    return [...rest, this.#options.isStreaming ? this.#lastChunk(options) : this.#wholeMessage(options)];
  }

  /** Aborts: discards buffered text. Resolves when no append is in flight. Source: STR-3. */
  async abort(): Promise<void> {
    this.#isOver = true;
    await this.#draining;
  }

  /** Drains the buffer. Never rejects; a failure surfaces on the next `write`. */
  async #drain(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (!this.#isOver && this.#hasWholeCharacter()) await this.#options.append([this.#takeChunk()]);
    } catch (cause) {
      this.#failure = { cause };
    } finally {
      this.#draining = null;
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.cause;
  }

  /** Whether the text ends with a whole character. Half a surrogate pair waits for the next piece. */
  #hasWholeCharacter(): boolean {
    return this.#text.length > 1 || (this.#text !== '' && !endsWithHalfPair(this.#text));
  }

  #takeChunk(): EventDraft {
    const cut = cutPoint(this.#text, MAX_CHUNK_LENGTH);
    const text = this.#text.slice(0, cut);
    this.#text = this.#text.slice(cut);
    return this.#chunk(text, { is_complete: false });
  }

  #lastChunk({ endsConversation, isStopped = false }: AnswerEnd): EventDraft {
    const chunk = this.#chunk(this.#text, {
      is_complete: true,
      chat_call_actions: this.#callActions,
      end_conversation: endsConversation,
    });
    return isStopped ? { ...chunk, custom: { [STOPPED_KEY]: 'true' } } : chunk;
  }

  #chunk(text: string, rest: Readonly<Record<string, unknown>>): EventDraft {
    this.#chunkIndex += 1;
    const payload = {
      message_id: this.#options.messageId,
      text,
      attachments: this.#attachments.map(toWireAttachment),
      response_suggestions: this.#suggestions.map(toWireSuggestion),
      chunk_index: this.#chunkIndex,
      ...rest,
    };
    this.#attachments = [];
    this.#suggestions = [];
    return { type: 'EVENT_TYPE_AGENT_MESSAGE_CHUNK', payload };
  }

  #wholeMessage({ endsConversation }: AnswerEnd): EventDraft {
    const { messageId, agentName, agentAvatarUrl } = this.#options;
    return {
      type: 'EVENT_TYPE_AGENT_MESSAGE',
      payload: {
        message_id: messageId,
        text: this.#text,
        attachments: this.#attachments.map(toWireAttachment),
        response_suggestions: this.#suggestions.map(toWireSuggestion),
        chat_call_actions: this.#callActions,
        agent_name: agentName,
        ...(agentAvatarUrl !== null && { avatar_url: agentAvatarUrl }),
        end_conversation: endsConversation,
      },
    };
  }
}

/** Returns where to cut, at most at `limit` units, without splitting a surrogate pair. */
function cutPoint(text: string, limit: number): number {
  const cut = Math.min(text.length, limit);
  return endsWithHalfPair(text.slice(0, cut)) ? cut - 1 : cut;
}

function endsWithHalfPair(text: string): boolean {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0xd800 && unit < 0xdc00;
}

/** Requires strings only and omits missing fields (7.5). */
function toWireAttachment(attachment: AgentAttachment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(attachment).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

function toWireSuggestion({ message_text, payload }: AgentSuggestion): Readonly<Record<string, string>> {
  return payload === null ? { message_text } : { message_text, payload };
}
