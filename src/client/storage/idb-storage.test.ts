import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIdbStorage } from './idb-storage.ts';

/** As much of IndexedDB as one store of values needs. Requests answer in a later microtask. */
class FakeIndexedDb {
  readonly stores = new Map<string, Map<string, unknown>>();
  opens = 0;
  databases?: () => Promise<{ name: string; version: number }[]> = async () =>
    [...this.stores.keys()].map((name) => ({ name, version: 1 }));

  open(name: string): unknown {
    this.opens += 1;
    const isNew = !this.stores.has(name);
    const values = this.stores.get(name) ?? new Map<string, unknown>();
    this.stores.set(name, values);
    return request({ transaction: () => transactionOn(values), createObjectStore: () => {} }, isNew);
  }
}

function request(result: unknown, isUpgrade = false): Record<string, unknown> {
  const made: Record<string, unknown> = { result };
  const call = (name: string): void => {
    const listener = made[name];
    if (typeof listener === 'function') listener();
  };
  queueMicrotask(() => {
    if (isUpgrade) call('onupgradeneeded');
    call('onsuccess');
  });
  return made;
}

function transactionOn(values: Map<string, unknown>): unknown {
  const transaction: Record<string, unknown> = request(undefined);
  const store = {
    transaction,
    get: (key: string) => request(values.get(key)),
    put: (value: unknown, key: string) => values.set(key, value),
    delete: (key: string) => values.delete(key),
  };
  return Object.assign(transaction, { objectStore: () => store });
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

  it('leaves the databases of others alone', async () => {
    idb.stores.set('of-the-site', new Map());
    expect(await createIdbStorage().get('k')).toBeUndefined();
    expect(idb.opens).toBe(0);
  });
});
