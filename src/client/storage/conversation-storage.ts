import { type Conversation, isOver } from '../conversation/conversation-state.ts';
import { isUnconfirmed } from '../conversation/outbox/outbox-state.ts';
import { isUnconfirmedMessage } from '../conversation/outbox/transition.ts';
import { entriesOf } from '../conversation/transcript/append-map.ts';
import type { ConversationRecord } from './create-record.ts';
import { NO_SESSION, type StoredConversation, toStoredDraft } from './stored-conversation.ts';

/** Activity only matters to the minute; a write per streamed chunk would be wasteful. */
const SAVE_ACTIVITY_EVERY_MS = 10_000;

export interface ConversationStorageOptions {
  readonly record: ConversationRecord;
  readonly current: () => Conversation;
  /** The part of the credentials that may be stored; null while there are none. */
  readonly identity: () => Partial<StoredConversation> | null;
  /** Only the leader writes. */
  readonly isLeading: () => boolean;
  /** Removes the stored copies of past conversations. */
  readonly forgetPast: () => void;
}

/** Decides which parts of a conversation are stored, and when. */
export interface ConversationStorage {
  /** State left by an earlier page or another tab; null once it has a session here. */
  readonly restored: StoredConversation | null;
  setRestored(stored: StoredConversation | null): void;
  /** Reads the stored conversation. */
  peek(): Promise<StoredConversation | null>;
  /** Reads the stored conversation into `restored`. */
  load(): Promise<StoredConversation | null>;
  /**
   * Whether the visitor has written something, or an earlier page has stored it. Other conversations are not stored.
   */
  isUsed(): boolean;
  /** True for a conversation that a reload would resume. Source: ST-3, ST-4. */
  isPersistable(): boolean;
  toStored(conversation?: Conversation): StoredConversation;
  save(): void;
  /** Saves if the drafts have changed, or the last activity by enough. */
  saveChange(before: Conversation): void;
  /** Stores a follower's texts for the next page of its tab, until the leader has them; null removes them. */
  keepInTab(conversation: Conversation | null): void;
  /** Resolves when the last change is stored. */
  whenSaved(): Promise<void>;
  /** Removes the stored conversation. */
  clear(): void;
  /** Removes the stored copies of past conversations. */
  forgetPast(): void;
}

/** The stored fields of a conversation besides its identity. */
function toStoredParts({ outbox, lastActivityMs, owner, handledCommands }: Conversation) {
  const drafts = outbox.filter(isUnconfirmed).map(toStoredDraft);
  const commands = entriesOf(handledCommands).map(([id]) => id);
  return { lastActivityMs, drafts, owner, ...(commands.length > 0 && { commands }) };
}

export function createConversationStorage(options: ConversationStorageOptions): ConversationStorage {
  const { record, current, identity, isLeading } = options;
  let restored: StoredConversation | null = null;
  let savedActivityMs = 0;

  const isUsed = (): boolean => {
    const { isResumed, outbox } = current();
    return restored !== null || isResumed || outbox.length > 0;
  };

  const isPersistable = (): boolean => isUsed() && isLeading() && !isOver(current());

  function toStored(conversation = current()): StoredConversation {
    // Before there is a session, drafts are stored under the one that may still be resumed, or under none.
    return { ...NO_SESSION, ...restored, ...identity(), ...toStoredParts(conversation) };
  }

  /** Messages that were not sent before the end, kept for the visitor without a session. */
  function unsentAfterEnd({ outbox, lastActivityMs, owner } = current()): StoredConversation | null {
    const drafts = outbox.filter(isUnconfirmedMessage).map(toStoredDraft);
    return drafts.length > 0 ? { ...NO_SESSION, lastActivityMs, drafts, owner } : null;
  }

  function save(): void {
    const { sessionId, lastActivityMs } = current();
    // This tab became leader but has no credentials yet, so there is nothing to store.
    if (!isLeading() || (sessionId && !identity())) return;
    // The stored value may be from a page of another release, as long as this page has stored nothing.
    if (!isUsed() && savedActivityMs === 0) return;
    savedActivityMs = lastActivityMs;
    record.save(isPersistable() ? toStored() : unsentAfterEnd());
  }

  return {
    get restored() {
      return restored;
    },
    setRestored(stored) {
      restored = stored;
    },
    peek: record.load,
    async load() {
      restored = await record.load();
      return restored;
    },
    isUsed,
    isPersistable,
    toStored,
    save,
    saveChange(before) {
      const { outbox, lastActivityMs } = current();
      if (before.outbox !== outbox || lastActivityMs - savedActivityMs >= SAVE_ACTIVITY_EVERY_MS) save();
    },
    // Without the ticket, which the leader has only shared with this tab's memory.
    keepInTab: (conversation) =>
      record.keepInTab(conversation && { ...toStored(conversation), resumeTicket: '' }),
    whenSaved: record.whenSaved,
    clear: () => record.save(null),
    forgetPast: options.forgetPast,
  };
}
