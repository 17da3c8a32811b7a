import type { TranscriptItem } from '../chat-state.ts';
import { hasShape } from '../has-shape.ts';
import { pastKey, storageKey } from '../storage/storage-key.ts';
import type { ServicesOptions } from './services-options.ts';

/** A copy of a conversation in this browser, which its visitor can read again. It cannot be resumed. */
export interface PastConversation {
  /** Identifies the conversation. */
  readonly sessionId: string;
  /** Hash of the conversation's user; empty without one. */
  readonly owner: string;
  /** The visitor's first message, on one line and cut after 80 characters. */
  readonly title: string;
  readonly startedAtMs: number;
  /** Time of the last message. */
  readonly lastAtMs: number;
  /** Delivered messages in display order: at most the last 200, and 200,000 characters of JSON. */
  readonly items: readonly TranscriptItem[];
}

/** Stored copies of conversations. */
export interface PastConversations {
  list(): Promise<readonly PastConversation[]>;
  /** Stores a copy of the current conversation, replacing an earlier copy. */
  keep(): Promise<void>;
  forget(): Promise<void>;
  /** Notes that the current conversation continues the copy of a session. */
  noteContinued(sessionId: string): Promise<void>;
  /** The copy that the current conversation continues; null for none. */
  readContinued(): Promise<PastConversation | null>;
}

const MAX_CONVERSATIONS = 10;
const MAX_ITEMS = 200;
const MAX_CHARACTERS = 200_000;
const MAX_TITLE_CHARACTERS = 80;
/** The platform's default retention of conversations. */
const MAX_AGE_MS = 30 * 86_400_000;

/** Version of stored values. Values of other versions are dropped. */
const VERSION = 1;
const EMPTY = { sessionId: '', owner: '', title: '', startedAtMs: 0, lastAtMs: 0 } as const;
const ITEM = { kind: '', key: '', text: '', atMs: 0 } as const;

/** Which session continues which copy. Every tab may write it, unlike the copies. */
interface Continued {
  readonly by: string;
  readonly sessionId: string;
}
const NOT_CONTINUED: Continued = { by: '', sessionId: '' };

type Stored = PastConversation & { readonly version: number };

function decodeConversation(value: unknown): PastConversation | null {
  if (!hasShape(value, { ...EMPTY, version: 0 }) || value.version !== VERSION) return null;
  const { items } = value as Partial<Stored>;
  if (!Array.isArray(items)) return null;
  const { sessionId, owner, title, startedAtMs, lastAtMs } = value;
  return {
    sessionId,
    owner,
    title,
    startedAtMs,
    lastAtMs,
    items: (items as unknown[]).filter((item) => hasShape<object>(item, ITEM)) as TranscriptItem[],
  };
}

/** Delivered messages for reading: without ratings and pending items. */
function toReadable(items: readonly TranscriptItem[]): readonly TranscriptItem[] {
  const readable = items.flatMap((item): TranscriptItem[] => {
    if (item.kind === 'user') return item.delivery.status === 'sent' ? [{ ...item, localId: null }] : [];
    if (item.kind === 'system') return [];
    const { feedback: _rating, ...rest } = item;
    const isEmpty = !rest.text && rest.attachments.length + rest.callActions.length === 0;
    return isEmpty ? [] : [{ ...rest, isStreaming: false }];
  });
  let kept = readable.slice(-MAX_ITEMS);
  while (kept.length > 1 && JSON.stringify(kept).length > MAX_CHARACTERS)
    kept = kept.slice(Math.ceil(kept.length / 10));
  return kept;
}

function toTitle(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  const isLong = characters.length > MAX_TITLE_CHARACTERS;
  return isLong ? `${characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('')}…` : characters.join('');
}

/** Copies of this browser's conversations. Failing storage counts as empty. */
export function createPastConversations(options: ServicesOptions): PastConversations {
  const { endpoint, chat, ports, messages, isLeading, visitors } = options;
  const { storage, clock } = ports;
  const key = pastKey(storageKey(endpoint, chat.connector ?? 'default'));
  const continuedKey = `${key}-continued`;
  let writing: Promise<void> = Promise.resolve();

  async function read(): Promise<readonly PastConversation[]> {
    const value = await storage.get(key).catch(() => null);
    if (!Array.isArray(value)) return [];
    const owner = await options.owner();
    const sinceMs = clock.now() - MAX_AGE_MS;
    return (
      value
        .map(decodeConversation)
        .filter((past) => past !== null)
        // A conversation without a user is assigned to the next user. A user never sees another's.
        .filter((past) => past.lastAtMs > sinceMs && (past.owner === '' || past.owner === owner))
    );
  }

  async function list(): Promise<readonly PastConversation[]> {
    await writing;
    return (await read()).toSorted((one, other) => other.lastAtMs - one.lastAtMs);
  }

  async function write(): Promise<void> {
    const sessionId = options.sessionId();
    const items = toReadable(messages());
    const first = messages().find((item) => item.kind === 'user' && item.delivery.status === 'sent');
    // Only one tab writes, so that no copy is lost, and only conversations that the visitor has started.
    if (!isLeading() || !sessionId || first?.kind !== 'user') return;
    const visitor = visitors.peek();
    const owner = await options.owner();
    const others = (await read()).filter((past) => past.sessionId !== sessionId);
    const { atMs: startedAtMs, text } = first;
    const lastAtMs = items.at(-1)?.atMs ?? startedAtMs;
    const kept = { sessionId, owner, title: toTitle(text), startedAtMs, lastAtMs, items };
    const all = [kept, ...others].slice(0, MAX_CONVERSATIONS);
    const stored = all.map((past): Stored => ({ ...past, version: VERSION }));
    await storage.set(key, stored);
    // The visitor has logged out meanwhile, which removed the copies.
    if (visitors.peek() !== visitor) await storage.delete(key);
  }

  return {
    list,
    keep() {
      writing = writing.then(write).catch(() => undefined);
      return writing;
    },
    async forget() {
      await writing;
      await Promise.all([key, continuedKey].map((each) => storage.delete(each))).catch(() => undefined);
    },
    async noteContinued(sessionId) {
      const note: Continued = { by: options.sessionId(), sessionId };
      await storage.set(continuedKey, note).catch(() => undefined);
    },
    async readContinued() {
      const note = await storage.get(continuedKey).catch(() => null);
      if (!hasShape<Continued>(note, NOT_CONTINUED) || note.by !== options.sessionId()) return null;
      return (await list()).find((past) => past.sessionId === note.sessionId) ?? null;
    },
  };
}
