import type { StoragePort, TabStoragePort } from '../ports.ts';
import { unsavedKey } from './storage-key.ts';
import { decodeStoredConversation, type StoredConversation } from './stored-conversation.ts';

/**
 * The one stored value of a client. Writes are put together: while one is under way only the newest waits.
 * Never rejects: from the first fault of the storage on it works from memory, which knows the last value
 * written. A chat with blocked storage is forgotten at the next reload, and works until then. A browser ends
 * the writes of a page with the page, so the tab keeps the value of a write that is under way.
 */
export interface ConversationRecord {
  /** What an earlier page left; null for nothing. */
  load(): Promise<StoredConversation | null>;
  /** Null removes it. */
  save(value: StoredConversation | null): void;
  /** Keeps a value in the tab alone, for its next page; null removes it. Where the tab keeps nothing it is lost with the page. */
  keepInTab(value: StoredConversation | null): void;
  /** Resolves when nothing is being written: a page that goes then takes nothing with it. */
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

  /** What the last page of the tab kept; null from the second call on. */
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
