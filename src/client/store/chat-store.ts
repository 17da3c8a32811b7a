import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { callSafely } from '../call-safely.ts';
import type { ChatSnapshot } from '../chat-client.ts';
import type {
  ChatState,
  ConnectionStatus,
  QueueStatus,
  SessionStatus,
  Speaker,
  Suggestion,
  TranscriptItem,
  TypingStatus,
} from '../chat-state.ts';
import type { Conversation } from '../conversation/conversation-state.ts';
import type { Draft } from '../outbox/outbox-state.ts';
import { selectSpeaker } from '../transcript/presence.ts';
import { selectSuggestions } from './select-suggestions.ts';

const toDraftItem = ({ localId, text, createdAtMs, delivery }: Draft): TranscriptItem => ({
  kind: 'user',
  key: `user:${localId}`,
  text,
  atMs: createdAtMs,
  delivery,
  localId,
});

/** Keeps the old value where the new one says the same, so that nobody renders twice. */
function assign<Value>(target: Signal<Value>, value: Value): void {
  const before = target.peek();
  if (before !== value && JSON.stringify(before) !== JSON.stringify(value)) target.value = value;
}

/** The signals a view reads. Written from one place, in one batch per change. */
export class ChatStore implements ChatState {
  readonly #connection: Signal<ConnectionStatus> = signal({ status: 'idle' });
  readonly #session: Signal<SessionStatus> = signal({ status: 'unknown' });
  readonly #messages: Signal<readonly ReadonlySignal<TranscriptItem>[]> = signal([]);
  readonly #speaker: Signal<Speaker | null> = signal(null);
  readonly #typing: Signal<TypingStatus> = signal(null);
  readonly #queue: Signal<QueueStatus | null> = signal(null);
  readonly #suggestions: Signal<readonly Suggestion[]> = signal([]);
  readonly #unread: Signal<number> = signal(0);
  readonly #language: Signal<string | null> = signal(null);
  readonly #hasLostConnection: Signal<boolean> = signal(false);
  /** One signal per entry for as long as the entry lives. */
  #items = new Map<string, Signal<TranscriptItem>>();
  #draftItems = new WeakMap<Draft, TranscriptItem>();
  readonly #listeners = new Set<(snapshot: ChatSnapshot) => void>();

  get connection(): ReadonlySignal<ConnectionStatus> {
    return this.#connection;
  }
  get session(): ReadonlySignal<SessionStatus> {
    return this.#session;
  }
  get messages(): ReadonlySignal<readonly ReadonlySignal<TranscriptItem>[]> {
    return this.#messages;
  }
  get speaker(): ReadonlySignal<Speaker | null> {
    return this.#speaker;
  }
  get typing(): ReadonlySignal<TypingStatus> {
    return this.#typing;
  }
  get queue(): ReadonlySignal<QueueStatus | null> {
    return this.#queue;
  }
  get suggestions(): ReadonlySignal<readonly Suggestion[]> {
    return this.#suggestions;
  }
  get unread(): ReadonlySignal<number> {
    return this.#unread;
  }
  get language(): ReadonlySignal<string | null> {
    return this.#language;
  }
  get hasLostConnection(): ReadonlySignal<boolean> {
    return this.#hasLostConnection;
  }

  showConnection(status: ConnectionStatus): void {
    this.#change(() => assign(this.#connection, status));
  }

  showSession(status: SessionStatus): void {
    this.#change(() => assign(this.#session, status));
  }

  showLostConnection(isLost: boolean): void {
    this.#change(() => assign(this.#hasLostConnection, isLost));
  }

  showConversation(conversation: Conversation): void {
    const { transcript, outcome, hasUserEnded } = conversation;
    this.#change(() => {
      this.#showItems(conversation);
      assign(this.#speaker, selectSpeaker(transcript.presence));
      assign(this.#typing, transcript.typing && { speaker: transcript.typing.speaker });
      assign(this.#queue, transcript.queue);
      assign(this.#suggestions, outcome || hasUserEnded ? [] : selectSuggestions(conversation));
      assign(this.#unread, transcript.unread);
      assign(this.#language, transcript.language?.code ?? null);
    });
  }

  subscribe(listener: (snapshot: ChatSnapshot) => void): () => void {
    // Each subscription is its own, also when one function is given twice.
    const own = (snapshot: ChatSnapshot): void => listener(snapshot);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  removeListeners(): void {
    this.#listeners.clear();
  }

  #showItems({ transcript, outbox }: Conversation): void {
    const items = [
      ...transcript.entries.map(({ item }) => item),
      ...outbox.filter(({ delivery }) => delivery.status !== 'sent').map((draft) => this.#toItem(draft)),
    ];
    const before = this.#items;
    this.#items = new Map(
      items.map((item) => {
        const known = before.get(item.key) ?? signal(item);
        known.value = item;
        return [item.key, known];
      }),
    );
    const next = [...this.#items.values()];
    const shown = this.#messages.peek();
    const isSame = next.length === shown.length && next.every((entry, index) => entry === shown[index]);
    if (!isSame) this.#messages.value = next;
  }

  #toItem(draft: Draft): TranscriptItem {
    const item = this.#draftItems.get(draft) ?? toDraftItem(draft);
    this.#draftItems.set(draft, item);
    return item;
  }

  #change(write: () => void): void {
    batch(write);
    if (this.#listeners.size === 0) return;
    const snapshot: ChatSnapshot = {
      connection: this.#connection.peek(),
      session: this.#session.peek(),
      messages: this.#messages.peek().map((entry) => entry.peek()),
      unread: this.#unread.peek(),
    };
    for (const listener of [...this.#listeners]) callSafely(listener, snapshot);
  }
}
