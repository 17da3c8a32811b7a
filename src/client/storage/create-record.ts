import type { StoragePort } from '../ports.ts';
import { decodeStoredConversation, type StoredConversation } from './stored-conversation.ts';

/**
 * The one stored value of a client. Writes are put together: while one is under way only the newest waits.
 * Never rejects: from the first fault of the storage on it works from memory, which knows the last value
 * written. A chat with blocked storage is forgotten at the next reload, and works until then.
 */
export interface ConversationRecord {
  /** What an earlier page left; null for nothing. */
  load(): Promise<StoredConversation | null>;
  /** Null removes it. */
  save(value: StoredConversation | null): void;
  /** Resolves when nothing is being written: a page that goes then takes nothing with it. */
  whenSaved(): Promise<void>;
}

export function createRecord(storage: StoragePort, key: string): ConversationRecord {
  let last: StoredConversation | null = null;
  let isBroken = false;
  let isSaved = true;
  let writing: Promise<void> | null = null;

  async function attempt(use: () => Promise<unknown>): Promise<unknown> {
    try {
      if (!isBroken) return await use();
    } catch {
      // Private windows, blocked cookies and full disks all end here.
      isBroken = true;
    }
    return last;
  }

  async function drain(): Promise<void> {
    while (!isSaved) {
      isSaved = true;
      const value = last;
      await attempt(() => (value ? storage.set(key, value) : storage.delete(key)));
    }
    writing = null;
  }

  return {
    async load() {
      await writing;
      return decodeStoredConversation(await attempt(() => storage.get(key)));
    },
    save(value) {
      last = value;
      isSaved = false;
      writing ??= drain();
    },
    whenSaved: () => writing ?? Promise.resolve(),
  };
}
