import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import type { StoragePort } from '../ports.ts';

/** Fixed names: other releases read these conversations, and the loader looks for the database. */
const DATABASE = 'natter';
const STORE = 'conversations';

/** False only where the browser knows that nothing was ever written. */
async function mayExist(): Promise<boolean> {
  // Chromium reports an error of the page when a page without an origin asks. Opening a database only rejects.
  if (globalThis.origin === 'null') return true;
  // Missing in some runtimes that have IndexedDB, contrary to the types.
  const databases: readonly IDBDatabaseInfo[] | undefined = await indexedDB.databases?.();
  return databases?.some(({ name }) => name === DATABASE) ?? true;
}

/** One connection per transaction, because an open connection would block the site from deleting the database. */
const useStore: UseStore = (mode, act) =>
  createStore(DATABASE, STORE)(mode, (store) => {
    const result = act(store);
    // Takes effect when the transaction is complete.
    store.transaction.db.close();
    return result;
  });

/**
 * Storage in IndexedDB; rejects where the browser forbids it. Only writing creates the database: until the
 * visitor has something to keep, nothing of ours is in their browser.
 */
export function createIdbStorage(): StoragePort {
  return {
    get: async (key) => ((await mayExist()) ? get<unknown>(key, useStore) : undefined),
    // Asynchronous, because opening a database throws where storage is blocked.
    set: async (key, value) => set(key, value, useStore),
    async delete(key) {
      if (await mayExist()) await del(key, useStore);
    },
  };
}
