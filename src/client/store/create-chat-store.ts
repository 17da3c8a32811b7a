import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { callSafely } from '../call-safely.ts';
import type { ChatSnapshot } from '../chat-client.ts';
import type { ChatState, SessionStatus, TranscriptItem } from '../chat-state.ts';
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
  showConversation(conversation: Conversation): void;
  subscribe(listener: (snapshot: ChatSnapshot) => void): () => void;
  removeListeners(): void;
}

/** Source: messaging.md 11. */
function selectSession({ outcome, links, isResumed }: Conversation): SessionStatus {
  if (outcome) return outcome === 'expired' ? { status: outcome } : { status: 'ended', by: outcome };
  return { status: links > 0 ? 'active' : isResumed ? 'restored' : 'unknown' };
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
  if (!isAlike(target.peek(), value)) target.value = value;
}

// Texts of different length are told apart at once, which matters for one that grows with every chunk.
function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other;
  return (
    one === other ||
    Object.keys({ ...one, ...other }).every((name) =>
      isAlike(Reflect.get(one, name), Reflect.get(other, name)),
    )
  );
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
    survey: signal(null),
    suggestions: signal([]),
    unread: signal(0),
    language: signal(null),
    unsent: signal(''),
  };
  const listeners = new Set<(snapshot: ChatSnapshot) => void>();
  let shown: readonly TranscriptItem[] = [];
  /** One signal per entry for as long as the entry lives. */
  let signals: readonly Signal<TranscriptItem>[] = [];

  function change(values: Values<Omit<ChatState, 'messages'>>, items: readonly TranscriptItem[]): void {
    batch(() => {
      showItems(items);
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
    const current = signals;
    // Nearly all are where they were and what they were; comparing them is all that a long history costs.
    const at = items.findIndex((item, index) => item !== shown[index]);
    const from = at < 0 ? items.length : at;
    const byKey = new Map(current.slice(from).map((entry) => [entry.peek().key, entry]));
    const changed = items.slice(from).map((item) => {
      const entry = byKey.get(item.key) ?? signal(item);
      assign(entry, item);
      return entry;
    });
    shown = items;
    const isSame =
      items.length === current.length && changed.every((entry, index) => entry === current[from + index]);
    if (!isSame) state.messages.value = signals = [...current.slice(0, from), ...changed];
  }

  return {
    state,
    showConversation(conversation) {
      const { transcript, outbox, unsent, connection, hasLostConnection } = conversation;
      const { entries, presence, typing, queue, survey, unread, language } = transcript;
      change(
        {
          connection,
          session: selectSession(conversation),
          hasLostConnection,
          speaker: selectSpeaker(presence),
          typing: typing && { speaker: typing.speaker },
          queue,
          survey,
          suggestions: isOver(conversation) ? [] : selectSuggestions(conversation),
          unread,
          language: language?.code ?? null,
          unsent,
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
