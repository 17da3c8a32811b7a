import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { callSafely } from '../call-safely.ts';
import type { ChatSnapshot } from '../chat-client.ts';
import type { ChatState, TranscriptItem } from '../chat-state.ts';
import { type Conversation, isOver } from '../conversation/conversation-state.ts';
import { type Draft, isUnconfirmed } from '../outbox/outbox-state.ts';
import { selectSpeaker } from '../transcript/presence.ts';
import { selectSuggestions } from './select-suggestions.ts';

type Writable<State> = {
  readonly [Name in keyof State]: State[Name] extends ReadonlySignal<infer Value> ? Signal<Value> : never;
};
type Values<State> = {
  readonly [Name in keyof State]?: State[Name] extends ReadonlySignal<infer Value> ? Value : never;
};

/** The signals a view reads. Written from one place, in one batch per change. */
export interface ChatStore {
  readonly state: ChatState;
  show(values: Values<Omit<ChatState, 'messages'>>): void;
  showConversation(conversation: Conversation): void;
  subscribe(listener: (snapshot: ChatSnapshot) => void): () => void;
  removeListeners(): void;
}

const toItem = ({ localId, text, createdAtMs, delivery }: Draft): TranscriptItem => ({
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

export function createChatStore(): ChatStore {
  const state: Writable<ChatState> = {
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
  const listeners = new Set<(snapshot: ChatSnapshot) => void>();
  /** One signal per entry for as long as the entry lives. */
  let shown = new Map<string, Signal<TranscriptItem>>();

  function change(values: Values<Omit<ChatState, 'messages'>>, items?: readonly TranscriptItem[]): void {
    batch(() => {
      if (items) showItems(items);
      for (const [name, value] of Object.entries<unknown>(values)) {
        // The type of `values` pairs each name with what its signal holds.
        assign(state[name as keyof ChatState] as Signal<unknown>, value);
      }
    });
    if (listeners.size === 0) return;
    const snapshot: ChatSnapshot = {
      connection: state.connection.peek(),
      session: state.session.peek(),
      messages: state.messages.peek().map((entry) => entry.peek()),
      unread: state.unread.peek(),
    };
    for (const listener of [...listeners]) callSafely(listener, snapshot);
  }

  function showItems(items: readonly TranscriptItem[]): void {
    const before = shown;
    shown = new Map(
      items.map((item) => {
        const entry = before.get(item.key) ?? signal(item);
        assign(entry, item);
        return [item.key, entry];
      }),
    );
    const next = [...shown.values()];
    const current = state.messages.peek();
    const isSame = next.length === current.length && next.every((entry, index) => entry === current[index]);
    if (!isSame) state.messages.value = next;
  }

  return {
    state,
    show: change,
    showConversation(conversation) {
      const { transcript, outbox } = conversation;
      const { entries, presence, typing, queue, unread, language } = transcript;
      change(
        {
          speaker: selectSpeaker(presence),
          typing: typing && { speaker: typing.speaker },
          queue,
          suggestions: isOver(conversation) ? [] : selectSuggestions(conversation),
          unread,
          language: language?.code ?? null,
        },
        [...entries.map(({ item }) => item), ...outbox.filter(isUnconfirmed).map(toItem)],
      );
    },
    subscribe(listener) {
      // Each subscription is its own, also when one function is given twice.
      const own = (snapshot: ChatSnapshot): void => listener(snapshot);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    removeListeners: () => listeners.clear(),
  };
}
