import type { StoragePort } from '../ports.ts';
import { decodeStoredConversation, type StoredConversation } from './stored-conversation.ts';

/** The one stored value of a client. Writes are put together: while one is under way only the newest waits. */
export interface ConversationRecord {
  /** What an earlier page left; null for nothing. */
  load(): Promise<StoredConversation | null>;
  /** Null removes it. */
  save(value: StoredConversation | null): void;
}

export function createRecord(storage: StoragePort, key: string): ConversationRecord {
  let next: { readonly value: StoredConversation | null } | null = null;
  let writing: Promise<void> | null = null;

  async function drain(): Promise<void> {
    for (; next; ) {
      const { value } = next;
      next = null;
      await (value ? storage.set(key, value) : storage.delete(key));
    }
    writing = null;
  }

  return {
    async load() {
      await writing;
      return decodeStoredConversation(await storage.get(key));
    },
    save(value) {
      next = { value };
      writing ??= drain();
    },
  };
}
