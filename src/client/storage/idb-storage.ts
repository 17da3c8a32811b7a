import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import type { StoragePort } from '../ports.ts';

const DATABASE = 'natter';

/** False only where the browser can tell that nothing was ever written. */
async function mayExist(): Promise<boolean> {
  // Not in every runtime that has IndexedDB, whatever the types say.
  const databases: readonly IDBDatabaseInfo[] | undefined = await indexedDB.databases?.();
  return databases?.some(({ name }) => name === DATABASE) ?? true;
}

/**
 * Storage in IndexedDB; rejects where the browser forbids it. Only writing creates the database: until the
 * visitor has something to keep, nothing of ours is in their browser.
 */
export function createIdbStorage(): StoragePort {
  let store: UseStore | null = null;
  const open = (): UseStore => {
    store ??= createStore(DATABASE, 'conversations');
    return store;
  };
  return {
    get: async (key) => (store || (await mayExist()) ? get<unknown>(key, open()) : undefined),
    set: async (key, value) => set(key, value, open()),
    delete: async (key) => (store || (await mayExist()) ? del(key, open()) : undefined),
  };
}
