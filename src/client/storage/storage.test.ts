import { describe, expect, it } from 'vitest';
import { FakeStorage } from '../../../test/chat-harness.ts';
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

describe('storage that fails', () => {
  it('goes on from memory, with the last value written', async () => {
    const real = new FakeStorage();
    let isFull = false;
    const breaking: StoragePort = {
      get: (key) => (isFull ? Promise.reject(new Error('gone')) : real.get(key)),
      set: (key, next) => (isFull ? Promise.reject(new Error('full')) : real.set(key, next)),
      delete: (key) => real.delete(key),
    };
    const record = createRecord(breaking, 'k');
    record.save(value('a'));
    expect(await record.load()).toEqual(value('a'));
    isFull = true;
    expect(await record.load()).toEqual(value('a'));
    record.save(value('b'));
    expect(await record.load()).toEqual(value('b'));
    record.save(null);
    expect(await record.load()).toBeNull();
  });

  it('is what a browser without IndexedDB has', async () => {
    const record = createRecord(createIdbStorage(), 'k');
    record.save(value('a'));
    expect(await record.load()).toEqual(value('a'));
  });
});

describe('the stored value', () => {
  it('is not believed when it has another shape', () => {
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

  it('ends up as the last one written, however fast they come', async () => {
    const storage = new FakeStorage();
    const record = createRecord(storage, 'k');
    for (let turn = 0; turn < 20; turn++) record.save(value(`s${turn}`));
    expect(await record.load()).toEqual(value('s19'));
    expect(storage.writes).toBeLessThan(4);
    record.save(value('again'));
    record.save(null);
    expect(await record.load()).toBeNull();
  });

  it('has a place of its own per proxy and connector', () => {
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
