import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { callSafely } from '../call-safely.ts';
import type { ChatSnapshot } from '../chat-client.ts';
import type { ChatState, ConnectionStatus, SessionStatus, TranscriptItem } from '../chat-state.ts';
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

type Writable<State> = {
  readonly [Name in keyof State]: State[Name] extends ReadonlySignal<infer Value> ? Signal<Value> : never;
};

/** Keeps the old value where the new one says the same, so that nobody renders twice. */
function assign<Value>(target: Signal<Value>, value: Value): void {
  const before = target.peek();
  if (before !== value && JSON.stringify(before) !== JSON.stringify(value)) target.value = value;
}

/** The signals a view reads. Written from one place, in one batch per change. */
export class ChatStore {
  readonly #signals: Writable<ChatState> = {
    connection: signal({ status: 'idle' }),
    session: signal({ status: 'unknown' }),
    messages: signal([]),
    hasLostConnection: signal(false),
    speaker: signal(null),
    typing: signal(null),
    queue: signal(null),
    suggestions: signal([]),
    unread: signal(0),
    language: signal(null),
  };
  /** The same signals, for reading. */
  readonly state: ChatState = this.#signals;
  /** One signal per entry for as long as the entry lives. */
  #items = new Map<string, Signal<TranscriptItem>>();
  #draftItems = new WeakMap<Draft, TranscriptItem>();
  readonly #listeners = new Set<(snapshot: ChatSnapshot) => void>();

  showConnection(status: ConnectionStatus): void {
    this.#change(() => assign(this.#signals.connection, status));
  }

  showSession(status: SessionStatus): void {
    this.#change(() => assign(this.#signals.session, status));
  }

  showLostConnection(isLost: boolean): void {
    this.#change(() => assign(this.#signals.hasLostConnection, isLost));
  }

  showConversation(conversation: Conversation): void {
    const { transcript, outcome, hasUserEnded } = conversation;
    this.#change(() => {
      this.#showItems(conversation);
      const signals = this.#signals;
      assign(signals.speaker, selectSpeaker(transcript.presence));
      assign(signals.typing, transcript.typing && { speaker: transcript.typing.speaker });
      assign(signals.queue, transcript.queue);
      assign(signals.suggestions, outcome || hasUserEnded ? [] : selectSuggestions(conversation));
      assign(signals.unread, transcript.unread);
      assign(signals.language, transcript.language?.code ?? null);
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
    const shown = this.#signals.messages.peek();
    const isSame = next.length === shown.length && next.every((entry, index) => entry === shown[index]);
    if (!isSame) this.#signals.messages.value = next;
  }

  #toItem(draft: Draft): TranscriptItem {
    const item = this.#draftItems.get(draft) ?? toDraftItem(draft);
    this.#draftItems.set(draft, item);
    return item;
  }

  #change(write: () => void): void {
    batch(write);
    if (this.#listeners.size === 0) return;
    const { connection, session, messages, unread } = this.#signals;
    const snapshot: ChatSnapshot = {
      connection: connection.peek(),
      session: session.peek(),
      messages: messages.peek().map((entry) => entry.peek()),
      unread: unread.peek(),
    };
    for (const listener of [...this.#listeners]) callSafely(listener, snapshot);
  }
}
