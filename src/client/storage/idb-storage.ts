import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import type { StoragePort } from '../ports.ts';

/** Storage in IndexedDB. Opens the database at the first use; rejects where the browser forbids it. */
export function createIdbStorage(): StoragePort {
  let store: UseStore | null = null;
  const open = (): UseStore => {
    store ??= createStore('natter', 'conversations');
    return store;
  };
  return {
    get: async (key) => get<unknown>(key, open()),
    set: async (key, value) => set(key, value, open()),
    delete: async (key) => del(key, open()),
  };
}
