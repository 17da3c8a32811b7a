import { expect, it } from 'vitest';
import { type Conversation, NEW_CONVERSATION } from '../conversation/conversation-state.ts';
import { createDraft, SENT } from '../conversation/outbox/transition.ts';
import { append } from '../conversation/transcript/append-map.ts';
import { createConversationStorage } from './conversation-storage.ts';
import type { StoredConversation } from './stored-conversation.ts';

const EVENT = { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Hi' }, custom: null } as const;
const draft = createDraft({ localId: 'd', event: EVENT, createdAtMs: 1, afterSequence: 0 });
const STORED: StoredConversation = { sessionId: 'old', resumeTicket: 't', lastActivityMs: 1, drafts: [] };

/** The storage of a leader tab with a session whose visitor has written. */
function rig(start: Partial<Conversation> = {}) {
  const state = {
    conversation: { ...NEW_CONVERSATION, sessionId: 's', outbox: [draft], lastActivityMs: 1, ...start },
    identity: { sessionId: 's', resumeTicket: 'ticket' } as Partial<StoredConversation> | null,
    isLeading: true,
  };
  const saved: (StoredConversation | null)[] = [];
  const forgotten: true[] = [];
  const storage = createConversationStorage({
    record: {
      load: async () => STORED,
      save: (value) => saved.push(value),
      keepInTab: () => {},
      whenSaved: async () => {},
    },
    current: () => state.conversation,
    identity: () => state.identity,
    isLeading: () => state.isLeading,
    forgetPast: () => forgotten.push(true),
  });
  const change = (next: Partial<Conversation>): void => {
    const before = state.conversation;
    state.conversation = { ...before, ...next };
    storage.saveChange(before);
  };
  return { state, storage, saved, forgotten, change };
}

const kept = { localId: 'd', event: EVENT, createdAtMs: 1, afterSequence: 0, status: 'queued' };

it('stores the identity, unconfirmed drafts, the user and executed commands of other tabs', () => {
  const handledCommands = append(NEW_CONVERSATION.handledCommands, 'c', true);
  const sent = { ...draft, localId: 'sent', delivery: SENT };
  const { storage, saved, state } = rig({ outbox: [sent, draft], owner: 'hash', handledCommands });
  storage.save();
  const identity = { sessionId: 's', resumeTicket: 'ticket' };
  expect(saved).toStrictEqual([
    { ...identity, lastActivityMs: 1, drafts: [kept], owner: 'hash', commands: ['c'] },
  ]);
  expect(
    storage.toStored({
      ...state.conversation,
      outbox: [],
      handledCommands: NEW_CONVERSATION.handledCommands,
    }),
  ).toStrictEqual({
    ...identity,
    ...{ lastActivityMs: 1, drafts: [], owner: 'hash' },
  });
});

it('stores drafts under the resumable session, or under none, before there is another', () => {
  const { state, storage } = rig({ sessionId: '' });
  state.identity = null;
  expect(storage.toStored()).toMatchObject({ sessionId: '', resumeTicket: '', drafts: [kept] });
  storage.setRestored(STORED);
  expect(storage.restored).toBe(STORED);
  expect(storage.toStored()).toMatchObject({ sessionId: 'old', resumeTicket: 't', drafts: [kept] });
});

it('writes nothing in a follower, nor before the session has credentials', () => {
  const { state, storage, saved } = rig();
  state.isLeading = false;
  storage.save();
  expect(storage.isPersistable()).toBe(false);
  Object.assign(state, { isLeading: true, identity: null });
  storage.save();
  expect(saved).toEqual([]);
  // Texts written before there is a session need no credentials.
  state.conversation = { ...state.conversation, sessionId: '' };
  storage.save();
  expect(saved).toHaveLength(1);
});

it("leaves another release's stored value unchanged until the conversation is used", async () => {
  const { storage, saved, change } = rig({ outbox: [] });
  storage.save();
  expect([saved, storage.isUsed()]).toEqual([[], false]);
  change({ outbox: [draft] });
  expect(saved).toHaveLength(1);
  // Once this page has stored something, it also removes that value.
  change({ outbox: [] });
  expect(saved.at(-1)).toBeNull();
  expect(await storage.load()).toBe(STORED);
  expect([storage.restored, storage.isUsed()]).toEqual([STORED, true]);
});

it('counts a conversation resumed by an earlier page as used', () => {
  expect(rig({ outbox: [], isResumed: true }).storage.isUsed()).toBe(true);
});

it('peeks at the stored value without restoring it', async () => {
  const { storage } = rig();
  expect([await storage.peek(), storage.restored]).toEqual([STORED, null]);
});

it('writes when the drafts change, and the last activity when it is ten seconds later', () => {
  const { saved, change } = rig();
  change({ outbox: [draft, draft] });
  expect(saved).toHaveLength(1);
  change({ lastActivityMs: 10_000 });
  expect(saved).toHaveLength(1);
  change({ lastActivityMs: 10_001 });
  expect(saved).toHaveLength(2);
  change({ lastActivityMs: 20_000 });
  expect(saved).toHaveLength(2);
});

it.each([
  { what: 'messages that were not sent', outbox: [draft], drafts: [kept] },
  { what: 'nothing', outbox: [{ ...draft, delivery: SENT }], drafts: null },
])('keeps $what of a conversation that is over, under no session', ({ outbox, drafts }) => {
  const { storage, saved } = rig({ outbox, hasUserEnded: true, owner: 'hash' });
  expect(storage.isPersistable()).toBe(false);
  storage.save();
  expect(saved).toStrictEqual([
    drafts && { sessionId: '', resumeTicket: '', lastActivityMs: 1, drafts, owner: 'hash' },
  ]);
});

it('removes the conversation and the stored copies', () => {
  const { storage, saved, forgotten } = rig();
  storage.clear();
  storage.forgetPast();
  expect([saved, forgotten]).toEqual([[null], [true]]);
});
