import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIdbStorage } from './idb-storage.ts';

/** The parts of IndexedDB needed to store values. Requests and transactions complete in later microtasks. */
class FakeIndexedDb {
  /** By database name, then store name. */
  readonly stores = new Map<string, Map<string, Map<string, unknown>>>();
  opens = 0;
  connections = 0;
  isFull = false;
  databases?: () => Promise<{ name: string; version: number }[]> = async () =>
    [...this.stores.keys()].map((name) => ({ name, version: 1 }));

  open(name: string): unknown {
    this.opens += 1;
    this.connections += 1;
    const isNew = !this.stores.has(name);
    const database = this.stores.get(name) ?? new Map<string, Map<string, unknown>>();
    this.stores.set(name, database);
    const result = {
      createObjectStore: (store: string) => database.set(store, new Map()),
      transaction: (store: string, mode: string) => this.#transaction(result, database.get(store), mode),
      close: () => {
        this.connections -= 1;
      },
    };
    return answering({ result }, ...(isNew ? ['onupgradeneeded'] : []), 'onsuccess');
  }

  #transaction(db: object, values: Map<string, unknown> | undefined, mode: string): unknown {
    if (!values) throw new DOMException('no such store', 'NotFoundError');
    const isAborted = this.isFull && mode === 'readwrite';
    const error = new DOMException('full', 'QuotaExceededError');
    const transaction = answering({ db, error }, isAborted ? 'onabort' : 'oncomplete');
    const store = {
      transaction,
      get: (key: string) => answering({ result: values.get(key) }, 'onsuccess'),
      put: (value: unknown, key: string) => isAborted || values.set(key, value),
      delete: (key: string) => isAborted || values.delete(key),
    };
    return { ...transaction, objectStore: () => store };
  }
}

/** Calls the given listeners of `target` in order, after they could be set. */
function answering(target: Record<string, unknown>, ...names: readonly string[]): Record<string, unknown> {
  queueMicrotask(() => {
    for (const name of names) {
      const listener = target[name];
      if (typeof listener === 'function') listener();
    }
  });
  return target;
}

let idb = new FakeIndexedDb();
beforeEach(() => {
  idb = new FakeIndexedDb();
  vi.stubGlobal('indexedDB', idb);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('storage in IndexedDB', () => {
  it('does not create the database when reading or clearing', async () => {
    const storage = createIdbStorage();
    expect(await storage.get('k')).toBeUndefined();
    await storage.delete('k');
    expect([idb.opens, idb.stores.size]).toEqual([0, 0]);
  });

  it('creates the database with the first write, under fixed names, and keeps values', async () => {
    const storage = createIdbStorage();
    expect(await storage.get('k')).toBeUndefined();
    await storage.set('k', { text: 'v' });
    expect([...idb.stores].map(([name, stores]) => [name, [...stores.keys()]])).toEqual([
      ['natter', ['conversations']],
    ]);
    expect(await storage.get('k')).toEqual({ text: 'v' });
    expect(await createIdbStorage().get('k')).toEqual({ text: 'v' });
    await createIdbStorage().delete('k');
    expect(await storage.get('k')).toBeUndefined();
  });

  it('rejects if opening the database throws, and works once it no longer does', async () => {
    const open = vi.spyOn(idb, 'open').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    idb.stores.set('natter', new Map([['conversations', new Map()]]));
    const storage = createIdbStorage();
    await expect(storage.get('k')).rejects.toThrow('blocked');
    await expect(storage.set('k', 1)).rejects.toThrow('blocked');
    await expect(storage.delete('k')).rejects.toThrow('blocked');
    open.mockRestore();
    await storage.set('k', 1);
    expect(await storage.get('k')).toBe(1);
  });

  it('opens the database if the browser cannot list databases', async () => {
    delete idb.databases;
    expect(await createIdbStorage().get('k')).toBeUndefined();
    expect(idb.opens).toBe(1);
  });

  it('does not list databases on a page without an origin, for which Chromium reports an error', async () => {
    const databases = vi.fn(idb.databases);
    idb.databases = databases;
    vi.stubGlobal('origin', 'null');
    expect(await createIdbStorage().get('k')).toBeUndefined();
    expect([databases.mock.calls.length, idb.opens]).toEqual([0, 1]);
  });

  it('rejects when the disk is full, and leaves no connection open', async () => {
    const storage = createIdbStorage();
    await storage.set('k', 1);
    await storage.get('k');
    idb.isFull = true;
    await expect(storage.set('k', 2)).rejects.toThrow('full');
    expect(idb.connections).toBe(0);
  });

  it('does not touch other databases', async () => {
    idb.stores.set('of-the-site', new Map());
    expect(await createIdbStorage().get('k')).toBeUndefined();
    expect(idb.opens).toBe(0);
  });
});
