import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIdbStorage } from './idb-storage.ts';

/** As much of IndexedDB as one store of values needs. Requests answer in later microtasks. */
class FakeIndexedDb {
  readonly stores = new Map<string, Map<string, unknown>>();
  opens = 0;
  connections = 0;
  isFull = false;
  databases?: () => Promise<{ name: string; version: number }[]> = async () =>
    [...this.stores.keys()].map((name) => ({ name, version: 1 }));

  open(name: string): unknown {
    this.opens += 1;
    this.connections += 1;
    const isNew = !this.stores.has(name);
    const values = this.stores.get(name) ?? new Map<string, unknown>();
    this.stores.set(name, values);
    const close = (): void => {
      this.connections -= 1;
    };
    const result = { transaction: () => this.#transaction(values), createObjectStore: () => {}, close };
    return answering({ result }, ...(isNew ? ['onupgradeneeded'] : []), 'onsuccess');
  }

  #transaction(values: Map<string, unknown>): unknown {
    const store = {
      get: (key: string) => ({ result: values.get(key) }),
      put: (value: unknown, key: string) => ({ result: this.isFull || values.set(key, value) }),
      delete: (key: string) => ({ result: values.delete(key) }),
    };
    const error = new DOMException('full', 'QuotaExceededError');
    return answering({ objectStore: () => store, error }, this.isFull ? 'onabort' : 'oncomplete');
  }
}

/** Calls the given listeners of `target` one after the other, once they had time to be set. */
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
  it('is not created by looking into it or clearing it', async () => {
    const storage = createIdbStorage();
    expect(await storage.get('k')).toBeUndefined();
    await storage.delete('k');
    expect([idb.opens, idb.stores.size]).toEqual([0, 0]);
  });

  it('is created by the first write, and keeps what is written', async () => {
    const storage = createIdbStorage();
    expect(await storage.get('k')).toBeUndefined();
    await storage.set('k', { text: 'v' });
    expect([...idb.stores.keys()]).toEqual(['natter']);
    expect(await storage.get('k')).toEqual({ text: 'v' });
    expect(await createIdbStorage().get('k')).toEqual({ text: 'v' });
    await createIdbStorage().delete('k');
    expect(await storage.get('k')).toBeUndefined();
  });

  it('is opened where the browser cannot tell which databases there are', async () => {
    delete idb.databases;
    expect(await createIdbStorage().get('k')).toBeUndefined();
    expect(idb.opens).toBe(1);
  });

  it('does not ask a page without an origin which databases there are, which Chromium reports as its error', async () => {
    const databases = vi.fn(idb.databases);
    idb.databases = databases;
    vi.stubGlobal('origin', 'null');
    expect(await createIdbStorage().get('k')).toBeUndefined();
    expect([databases.mock.calls.length, idb.opens]).toEqual([0, 1]);
  });

  it('says so when the disk is full, and leaves no connection open', async () => {
    const storage = createIdbStorage();
    await storage.set('k', 1);
    idb.isFull = true;
    await expect(storage.set('k', 2)).rejects.toThrow('full');
    expect(idb.connections).toBe(0);
  });

  it('leaves the databases of others alone', async () => {
    idb.stores.set('of-the-site', new Map());
    expect(await createIdbStorage().get('k')).toBeUndefined();
    expect(idb.opens).toBe(0);
  });
});
