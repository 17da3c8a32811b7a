import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { ChatState, SessionStatus, TranscriptItem } from '../chat-state.ts';
import {
  type Conversation,
  canCancelHandoff,
  canGiveFeedback,
  canRequestContact,
  isOver,
  NEW_CONVERSATION,
} from '../conversation/conversation-state.ts';
import {
  type Draft,
  feedbackOf,
  isMessage,
  isUnconfirmed,
  type Outbox,
  textOf,
} from '../conversation/outbox/outbox-state.ts';
import { isUnconfirmedMessage } from '../conversation/outbox/transition.ts';
import { hasContent } from '../conversation/transcript/has-content.ts';
import { selectSpeaker } from '../conversation/transcript/presence.ts';
import { selectLanguage } from '../conversation/transcript/select-language.ts';
import { isEqual } from '../is-equal.ts';

/** The view's signals, written in one place, in one batch per change. */
export interface ChatStore {
  readonly state: ChatState;
  /** The values of `state.messages`. */
  readonly items: ReadonlySignal<readonly TranscriptItem[]>;
  showConversation(conversation: Conversation): void;
  setUnsent(text: string, isTyped?: boolean): void;
  /** Restores an earlier page's text to the composer, unless the visitor has typed another one here. */
  restoreUnsent(text: string): void;
  /** Incremented by every logout and change of owner received by this tab. */
  readonly visitors: ReadonlySignal<number>;
}

/** Source: messaging.md 11. */
function selectSession({ outcome, connectionCount, isResumed }: Conversation): SessionStatus {
  if (outcome) return outcome === 'expired' ? { status: outcome } : { status: 'ended', by: outcome };
  return { status: connectionCount > 0 ? 'active' : isResumed ? 'restored' : 'unknown' };
}

const toItem = (draft: Draft): TranscriptItem => ({
  kind: 'user',
  key: `user:${draft.localId}`,
  text: textOf(draft),
  atMs: draft.createdAtMs,
  delivery: draft.delivery,
  localId: draft.localId,
});

/** Adds ratings that are not stored yet to the messages. */
function showFeedback(items: readonly TranscriptItem[], outbox: Outbox): readonly TranscriptItem[] {
  const drafts = outbox.filter((draft) => !isMessage(draft) && isUnconfirmed(draft));
  if (drafts.length === 0) return items;
  return items.map((item) => {
    const draft = drafts.findLast(
      (one) => item.kind === 'agent' && item.messageId === feedbackOf(one)?.message_id,
    );
    const feedback = draft && feedbackOf(draft);
    if (!feedback || item.kind !== 'agent') return item;
    const { rating, reason } = feedback;
    return { ...item, feedback: { rating, reason, delivery: draft.delivery } };
  });
}

/** Keeps the old value while the new one is equal, so that views do not render again. */
function assign<Value>(target: Signal<Value>, value: Value): void {
  if (!isEqual(target.peek(), value)) target.value = value;
}

type Fields = Omit<ChatState, keyof Pick<ChatState, 'messages' | 'unsent'>>;
type Values = {
  readonly [Name in keyof Fields]: Fields[Name] extends ReadonlySignal<infer Value> ? Value : never;
};

/** Computes the view's values except the messages. */
function select(conversation: Conversation): Values {
  const { transcript, outbox, connection, hasLostConnection } = conversation;
  const { entries, presence, typing, queue, survey, unread } = transcript;
  const isAnswered = isOver(conversation) || outbox.some(isUnconfirmedMessage);
  const latest = isAnswered ? null : entries.findLast(({ item }) => item.kind !== 'system');
  return {
    connection,
    session: selectSession(conversation),
    hasLostConnection,
    speaker: selectSpeaker(presence),
    typing: typing && { speaker: typing.speaker },
    queue,
    canCancelHandoff: canCancelHandoff(conversation),
    canStopAnswer: transcript.assembly.open !== null,
    canGiveFeedback: canGiveFeedback(conversation),
    canRequestContact: canRequestContact(conversation),
    survey,
    // Of the latest agent message, until the visitor has sent a message. Source: messaging.md 7.5.
    suggestions: latest?.suggestions ?? [],
    unread,
    language: selectLanguage(transcript),
  };
}

/** Updates the messages to `next`; unchanged entries keep their signals. */
function showItems(
  messages: Signal<readonly Signal<TranscriptItem>[]>,
  items: Signal<readonly TranscriptItem[]>,
  next: readonly TranscriptItem[],
): void {
  const current = items.peek();
  // Nearly all are unchanged and in place; comparing them is the only cost of a long history.
  const at = next.findIndex((item, index) => item !== current[index]);
  const from = at < 0 ? next.length : at;
  if (from === current.length && from === next.length) return;
  const entries = messages.peek();
  const rest = entries.slice(from);
  // Each entry keeps one signal for its lifetime.
  const byKey = new Map(rest.map((entry) => [entry.peek().key, entry]));
  const changed = next.slice(from).map((item) => {
    const entry = byKey.get(item.key) ?? signal(item);
    assign(entry, item);
    return entry;
  });
  if (changed.length !== rest.length || changed.some((entry, index) => entry !== rest[index])) {
    messages.value = [...entries.slice(0, from), ...changed];
  }
  const values = changed.map((entry) => entry.peek());
  if (values.length !== rest.length || values.some((value, index) => value !== current[from + index])) {
    items.value = Object.freeze([...current.slice(0, from), ...values]);
  }
}

/** `saveTyped` stores or removes the composer's text. */
export function createChatStore(saveTyped: (text: string) => void): ChatStore {
  const messages = signal<readonly Signal<TranscriptItem>[]>([]);
  const items = signal<readonly TranscriptItem[]>(Object.freeze([]));
  const unsent = signal('');
  let isUnsentTyped = false;
  const visitorCount = signal(0);
  /** The conversation shown last. */
  let shown: Conversation = NEW_CONVERSATION;
  const values = Object.fromEntries(
    Object.entries(select(NEW_CONVERSATION)).map(([name, value]) => [name, signal(value)]),
  ) as { readonly [Name in keyof Fields]: Fields[Name] & Signal<unknown> };

  return {
    state: { ...values, messages, unsent },
    items,
    visitors: visitorCount,
    setUnsent(text, isTyped = true) {
      isUnsentTyped = isTyped && text !== '';
      unsent.value = text;
      // An earlier page's text may still have to be restored.
      if (isTyped) saveTyped(text);
    },
    restoreUnsent(text) {
      if (text === '' || isUnsentTyped) return;
      isUnsentTyped = true;
      unsent.value = text;
    },
    showConversation(conversation) {
      const { transcript, outbox, sessionId, visitors } = conversation;
      batch(() => {
        // Text written before this tab knew the conversation belongs to its visitor.
        if (shown.visitors !== visitors && (shown.sessionId || !sessionId)) {
          unsent.value = '';
          isUnsentTyped = false;
          saveTyped('');
          visitorCount.value = visitors;
        }
        if (transcript.entries !== shown.transcript.entries || outbox !== shown.outbox) {
          const stored = transcript.entries.map(({ item }) => item).filter(hasContent);
          const unconfirmed = outbox.filter(isUnconfirmedMessage).map(toItem);
          showItems(messages, items, [...showFeedback(stored, outbox), ...unconfirmed]);
        }
        // A reload does not resume an ended conversation or its composer text.
        if (isOver(conversation) && !isOver(shown)) saveTyped('');
        shown = conversation;
        for (const [name, value] of Object.entries(select(conversation))) {
          // Both objects come from `select` and have the same keys.
          assign(values[name as keyof Fields], value);
        }
      });
    },
  };
}
