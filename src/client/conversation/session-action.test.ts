import { describe, expect, it } from 'vitest';
import { type Conversation, type ConversationAction, NEW_CONVERSATION } from './conversation-state.ts';
import { CHAT_ENDED, createDraft, NO_ANSWER, QUEUED, REFUSED, SENT } from './outbox/transition.ts';
import { reduceConversation } from './transition.ts';

const NOW_MS = 5_000;

const draft = (localId: string, delivery = QUEUED) => ({
  ...createDraft({
    localId,
    event: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: localId }, custom: null },
    createdAtMs: 0,
    afterSequence: 0,
  }),
  delivery,
});

const CONVERSATION: Conversation = {
  ...NEW_CONVERSATION,
  sessionId: 'before',
  owner: 'ada',
  connectionCount: 3,
  outcome: 'user',
  hasUserEnded: true,
  outbox: [draft('sent', SENT), draft('ended', CHAT_ENDED), draft('refused', REFUSED)],
};

const reduce = (conversation: Conversation, action: ConversationAction): Conversation =>
  reduceConversation(conversation, action, NOW_MS).conversation;

const deliveries = ({ outbox }: Conversation): readonly unknown[] =>
  outbox.map(({ localId, delivery }) => [localId, delivery]);

describe('a session that is left', () => {
  it('keeps unconfirmed messages and the owner when a session is left', () => {
    const left = reduce(CONVERSATION, { type: 'session_left', isLogout: false });
    expect(left).toMatchObject({
      sessionId: '',
      outcome: null,
      connectionCount: 0,
      owner: 'ada',
      visitors: 0,
    });
    expect(deliveries(left)).toEqual([
      ['ended', CHAT_ENDED],
      ['refused', REFUSED],
    ]);
  });

  it('removes everything of the visitor on a logout', () => {
    const left = reduce(CONVERSATION, { type: 'session_left', isLogout: true });
    expect(left).toEqual({ ...NEW_CONVERSATION, visitors: 1, lastActivityMs: NOW_MS });
  });
});

describe('a session that starts', () => {
  const started = {
    type: 'session_started',
    sessionId: 'next',
    vocabulary: 'neutral',
    offers: [],
    unread: 2,
  } as const;

  it("moves unconfirmed messages to a new session, but leaves an earlier page's to the visitor", () => {
    const before = { ...CONVERSATION, outbox: [...CONVERSATION.outbox, draft('early'), draft('new')] };
    const next = reduce(
      { ...before, outcome: null, hasUserEnded: false },
      { ...started, isResumed: false, unaskedIds: ['early'] },
    );
    expect(next).toMatchObject({ sessionId: 'next', connectionCount: 3, isResumed: false });
    expect(next.transcript.unread).toBe(0);
    expect(deliveries(next)).toEqual([
      ['ended', NO_ANSWER],
      ['refused', REFUSED],
      ['early', NO_ANSWER],
      ['new', QUEUED],
    ]);
  });

  it('keeps every message and the unread count of a resumed session', () => {
    const next = reduce(CONVERSATION, { ...started, isResumed: true, unaskedIds: ['refused'] });
    expect(next).toMatchObject({ sessionId: 'next', isResumed: true, outcome: null });
    expect(next.transcript.unread).toBe(2);
    expect(deliveries(next)).toEqual(deliveries(CONVERSATION));
  });
});

it('keeps an owner that was set before the storage was read', () => {
  const restored = {
    type: 'restored',
    past: null,
    drafts: [draft('stored')],
    owner: 'bo',
    lastActivityMs: 1,
    isResumed: true,
  } as const;
  const before = { ...NEW_CONVERSATION, outbox: [draft('early')] };
  expect(reduce({ ...before, owner: 'ada' }, restored).owner).toBe('ada');
  const next = reduce(before, restored);
  expect(next).toMatchObject({ owner: 'bo', isResumed: true, lastActivityMs: 1 });
  expect(next.outbox.map(({ localId }) => localId)).toEqual(['stored', 'early']);
});
