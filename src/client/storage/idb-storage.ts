import type { StoragePort } from '../ports.ts';

const DATABASE = 'natter';
const STORE = 'conversations';

/** False only where the browser can tell that nothing was ever written. */
async function mayExist(): Promise<boolean> {
  // A page without an origin has none, and Chromium would report an error of the page if it were asked. Opening one rejects.
  if (globalThis.origin === 'null') return true;
  // Not in every runtime that has IndexedDB, whatever the types say.
  const databases: readonly IDBDatabaseInfo[] | undefined = await indexedDB.databases?.();
  return databases?.some(({ name }) => name === DATABASE) ?? true;
}

const opened = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** One transaction on a connection of its own, so that none is left open to be lost or to block anybody. */
async function run<Value>(act: (store: IDBObjectStore) => IDBRequest<Value>): Promise<Value> {
  const database = await opened();
  const transaction = database.transaction(STORE, 'readwrite');
  const request = act(transaction.objectStore(STORE));
  // Closes once the transaction is complete.
  database.close();
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * Storage in IndexedDB; rejects where the browser forbids it. Only writing creates the database: until the
 * visitor has something to keep, nothing of ours is in their browser.
 */
export function createIdbStorage(): StoragePort {
  return {
    get: async (key) => ((await mayExist()) ? run<unknown>((store) => store.get(key)) : undefined),
    async set(key, value) {
      await run((store) => store.put(value, key));
    },
    async delete(key) {
      if (await mayExist()) await run((store) => store.delete(key));
    },
  };
}
