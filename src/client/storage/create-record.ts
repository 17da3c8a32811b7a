import type { StoragePort, TabStoragePort } from '../ports.ts';
import { unsavedKey } from './storage-key.ts';
import { decodeStoredConversation, type StoredConversation } from './stored-conversation.ts';

/**
 * The stored value of a client. Writes are merged: while one is in flight, only the newest waits. Never rejects: after
 * the first storage fault it works from memory, which has the last written value. A chat with blocked storage works
 * until the next reload. A browser aborts a page's writes when the page is unloaded, so the tab also keeps the value of
 * a write in flight.
 */
export interface ConversationRecord {
  /** Value left by an earlier page; null for none. */
  load(): Promise<StoredConversation | null>;
  /** Null removes it. */
  save(value: StoredConversation | null): void;
  /**
   * Stores a value only in the tab, for its next page; null removes it. If that is impossible it is lost with the page.
   */
  keepInTab(value: StoredConversation | null): void;
  /** Resolves when no write is in flight, so that unloading the page loses nothing. */
  whenSaved(): Promise<void>;
}

export function createRecord(
  storage: StoragePort,
  key: string,
  tabStorage: () => TabStoragePort | null,
): ConversationRecord {
  let last: StoredConversation | null = null;
  let isBroken = false;
  let isSaved = true;
  let writing: Promise<void> | null = null;
  let hasTaken = false;

  async function attempt(use: () => Promise<unknown>): Promise<unknown> {
    try {
      if (!isBroken) return await use();
    } catch {
      // Private windows, blocked cookies and full disks all end here.
      isBroken = true;
    }
    return last;
  }

  function keepInTab(value: StoredConversation | null): void {
    try {
      const tab = tabStorage();
      if (value) tab?.setItem(unsavedKey(key), JSON.stringify(value));
      else tab?.removeItem(unsavedKey(key));
    } catch {
      // Blocked or full.
    }
  }

  /** Returns the value that the tab's last page kept; null from the second call on. */
  function takeUnsaved(): StoredConversation | null {
    if (hasTaken) return null;
    hasTaken = true;
    try {
      return decodeStoredConversation(JSON.parse(tabStorage()?.getItem(unsavedKey(key)) ?? 'null'));
    } catch {
      return null;
    } finally {
      keepInTab(null);
    }
  }

  async function drain(): Promise<void> {
    while (!isSaved) {
      isSaved = true;
      const value = last;
      await attempt(() => (value ? storage.set(key, value) : storage.delete(key)));
    }
    writing = null;
    keepInTab(null);
  }

  function save(value: StoredConversation | null): void {
    last = value;
    isSaved = false;
    keepInTab(value);
    writing ??= drain();
  }

  return {
    async load() {
      await writing;
      const stored = decodeStoredConversation(await attempt(() => storage.get(key)));
      const unsaved = takeUnsaved();
      if (!unsaved || (stored?.sessionId && stored.sessionId !== unsaved.sessionId)) return stored;
      const value = { ...unsaved, resumeTicket: unsaved.resumeTicket || (stored?.resumeTicket ?? '') };
      save(value);
      return value;
    },
    save,
    keepInTab,
    whenSaved: () => writing ?? Promise.resolve(),
  };
}
