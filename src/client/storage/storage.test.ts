import { describe, expect, it } from 'vitest';
import { FakeStorage, FakeTabStorage } from '../../../test/chat-harness.ts';
import type { StoragePort } from '../ports.ts';
import { createRecord } from './create-record.ts';
import { createIdbStorage } from './idb-storage.ts';
import { storageKey } from './storage-key.ts';
import { decodeStoredConversation, type StoredConversation } from './stored-conversation.ts';

const value = (sessionId: string): StoredConversation => ({
  sessionId,
  resumeTicket: 't',
  lastActivityMs: 1,
  drafts: [],
});

const noTab = () => null;

describe('storage that fails', () => {
  it('continues from memory after a storage fault, with the last written value', async () => {
    const real = new FakeStorage();
    let isFull = false;
    const breaking: StoragePort = {
      get: (key) => (isFull ? Promise.reject(new Error('gone')) : real.get(key)),
      set: (key, next) => (isFull ? Promise.reject(new Error('full')) : real.set(key, next)),
      delete: (key) => real.delete(key),
    };
    const record = createRecord(breaking, 'k', noTab);
    record.save(value('a'));
    expect(await record.load()).toEqual(value('a'));
    isFull = true;
    expect(await record.load()).toEqual(value('a'));
    record.save(value('b'));
    expect(await record.load()).toEqual(value('b'));
    record.save(null);
    expect(await record.load()).toBeNull();
  });

  it('works without IndexedDB', async () => {
    const record = createRecord(createIdbStorage(), 'k', noTab);
    record.save(value('a'));
    expect(await record.load()).toEqual(value('a'));
  });
});

describe('a page that goes while its last value is being written', () => {
  /** Aborts transactions when the page is unloaded, like a browser. */
  class EndlessStorage extends FakeStorage {
    override set(): Promise<void> {
      return new Promise(() => {});
    }
  }

  function leave(tab: FakeTabStorage, stored: StoredConversation | null = null): FakeStorage {
    const storage = new FakeStorage();
    if (stored) storage.values.set('k', stored);
    const record = createRecord(
      Object.assign(new EndlessStorage(), { values: storage.values }),
      'k',
      () => tab,
    );
    record.save(value('first'));
    record.save(value('last'));
    return storage;
  }

  it("leaves an unwritten value to the tab's next page, which stores it", async () => {
    const tab = new FakeTabStorage();
    const storage = leave(tab);
    const record = createRecord(storage, 'k', () => tab);
    expect(await record.load()).toEqual(value('last'));
    await record.whenSaved();
    expect([storage.values.get('k'), tab.values.size]).toEqual([value('last'), 0]);
  });

  it('does not overwrite a session that another tab has started since', async () => {
    const tab = new FakeTabStorage();
    const storage = leave(tab, value('other'));
    const record = createRecord(storage, 'k', () => tab);
    expect(await record.load()).toEqual(value('other'));
    expect([storage.values.get('k'), tab.values.size]).toEqual([value('other'), 0]);
  });

  it('leaves nothing to the next page when the last value was empty or written', async () => {
    const tab = new FakeTabStorage();
    const storage = leave(tab);
    const record = createRecord(storage, 'k', () => tab);
    record.save(value('written'));
    await record.whenSaved();
    expect(tab.values.size).toBe(0);
    leave(tab);
    const ended = createRecord(new EndlessStorage(), 'k', () => tab);
    ended.save(null);
    expect(tab.values.size).toBe(0);
  });

  it("works if the tab's storage is blocked, full, or contains a foreign value", async () => {
    const blocked = (): never => {
      throw new Error('blocked');
    };
    const full = Object.assign(new FakeTabStorage(), { setItem: blocked });
    for (const tab of [blocked, () => full, () => null]) {
      const record = createRecord(new FakeStorage(), 'k', tab);
      record.save(value('a'));
      expect(await record.load()).toEqual(value('a'));
    }
    for (const text of ['', '{', 'null', '[]', '{"sessionId":1}']) {
      const tab = new FakeTabStorage();
      leave(tab);
      for (const key of tab.values.keys()) tab.values.set(key, text);
      expect(await createRecord(new FakeStorage(), 'k', () => tab).load()).toBeNull();
    }
  });
});

describe('the stored value', () => {
  it('ignores a stored value of another shape', () => {
    for (const foreign of [
      null,
      'x',
      [],
      {},
      { ...value('s'), drafts: null },
      ...['sessionId', 'resumeTicket', 'lastActivityMs'].flatMap((name) => [
        { ...value('s'), [name]: undefined },
        { ...value('s'), [name]: name === 'lastActivityMs' ? '1' : 1 },
      ]),
    ]) {
      expect(decodeStoredConversation(foreign)).toBeNull();
    }
    expect(decodeStoredConversation({ ...value('s'), drafts: [1, { localId: 'd' }] })).toEqual(value('s'));
  });

  it('stores the last written value, however fast writes follow each other', async () => {
    const storage = new FakeStorage();
    const record = createRecord(storage, 'k', noTab);
    for (let turn = 0; turn < 20; turn++) record.save(value(`s${turn}`));
    expect(await record.load()).toEqual(value('s19'));
    expect(storage.writes).toBeLessThan(4);
    record.save(value('again'));
    record.save(null);
    expect(await record.load()).toBeNull();
  });

  it('uses a separate key per proxy and connector', () => {
    const keys = [
      storageKey('https://a.test', 'default'),
      storageKey('https://a.test', 'sales'),
      storageKey('https://b.test', 'default'),
    ];
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toBe(storageKey('https://a.test', 'default'));
    expect(keys[0]).toMatch(/^natter:\d+$/);
  });
});
