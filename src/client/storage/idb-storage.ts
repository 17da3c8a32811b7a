import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import type { StoragePort } from '../ports.ts';

/** Fixed names, because other releases read these conversations, and the loader looks for the database. */
const DATABASE = 'natter';
const STORE = 'conversations';

/** False only if the browser knows that nothing was ever written. */
async function mayExist(): Promise<boolean> {
  // In Chromium, a call from a page without an origin causes a page error; opening a database only rejects.
  if (globalThis.origin === 'null') return true;
  // Some runtimes with IndexedDB lack it, contrary to the types.
  const databases: readonly IDBDatabaseInfo[] | undefined = await indexedDB.databases?.();
  return databases?.some(({ name }) => name === DATABASE) ?? true;
}

/** One connection per transaction, because an open connection would block the site from deleting the database. */
const useStore: UseStore = (mode, act) =>
  createStore(DATABASE, STORE)(mode, (store) => {
    const result = act(store);
    // Takes effect when the transaction has completed.
    store.transaction.db.close();
    return result;
  });

/**
 * Storage in IndexedDB; rejects if the browser forbids it. Only writing creates the database, so that nothing is stored
 * in the browser before the visitor uses the chat.
 */
export function createIdbStorage(): StoragePort {
  return {
    get: async (key) => ((await mayExist()) ? get<unknown>(key, useStore) : undefined),
    // Asynchronous, because opening a database throws if storage is blocked.
    set: async (key, value) => set(key, value, useStore),
    async delete(key) {
      if (await mayExist()) await del(key, useStore);
    },
  };
}
