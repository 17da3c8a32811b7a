import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type ChatHarness,
  isOpen,
  sentTypes,
  settle,
  trackHarnesses,
  until,
} from '../../../test/chat-harness.ts';
import { FakeBrowser } from '../../../test/fake-browser.ts';
import type { FakePlatformOptions } from '../../../test/fake-platform.ts';
import type { ContextProvider } from '../chat-client.ts';
import {
  type ContextHandler,
  type ContextResult,
  createPageContext,
  type PageContext,
} from './create-page-context.ts';
import { toCustom } from './to-custom.ts';

const { harness } = trackHarnesses(afterEach);
afterEach(() => {
  vi.restoreAllMocks();
});

interface Page extends ChatHarness {
  readonly page: PageContext;
  readonly results: ContextResult[];
  /** Provides the page's context to the client. */
  readonly provider: ContextProvider;
}

/** A page with a chat and a context. */
function open(
  options: FakePlatformOptions = { contextId: 'ctx_1' },
  shared: Parameters<typeof harness>[2] = {},
  tab: Parameters<typeof harness>[3] = null,
): Page {
  const results: ContextResult[] = [];
  const words: ContextProvider = {};
  const one: ChatHarness = harness(options, { page: words }, shared, tab);
  const page = createPageContext({
    chat: one.chat,
    clock: one.clock,
    onResult: (result) => results.push(result),
  });
  Object.assign(words, page);
  return { ...one, page, results, provider: words };
}

const join = ({ platform }: Page) =>
  platform.session.received.find(({ type }) => type === 'EVENT_TYPE_REQUEST_AGENT_JOIN');
const isJoined = (one: Page) => () => one.lines().includes('agent: Hello');
const never = () => new Promise<never>(() => {});

describe('verified context', () => {
  it.each([undefined, null, 'a.b.c'])('refuses %j as a handler with an error', (handler) => {
    expect(() => open().page.onContextRequired(handler as never)).toThrow('takes a function');
  });

  it('submits verified context after the replay and before the agent is requested', async () => {
    const one = open();
    const seen: unknown[] = [];
    one.page.onContextRequired((session) => {
      seen.push(session, sentTypes(one));
      return Promise.resolve('a.b.c');
    });
    await one.chat.start();
    await until(isJoined(one));
    expect(seen).toEqual([{ sessionId: one.platform.session.id, contextId: 'ctx_1' }, []]);
    expect(one.platform.session.contextTokens).toEqual(['a.b.c']);
    expect(one.results).toEqual([{ status: 'accepted' }]);
    const submission = one.platform.calls.find(({ path }) => path.endsWith('/v1/context'));
    expect(submission?.body).toMatchObject({ token: 'a.b.c', resume_ticket: expect.any(String) });
    expect(JSON.stringify(submission?.body)).not.toContain(one.platform.session.token);
  });

  it('delays nothing without a context handler', async () => {
    const one = open();
    await one.chat.start();
    await until(isJoined(one));
    expect(one.results).toEqual([]);
  });

  it.each<[string, ContextHandler, string]>([
    ['nothing', () => undefined, 'no_token'],
    ['null', () => null, 'no_token'],
    ['an empty text', () => '', 'no_token'],
    ['a number', () => 7, 'no_token'],
    ['an object', () => ({ token: 'a.b.c' }), 'no_token'],
    [
      'an error',
      () => {
        throw new Error('no backend');
      },
      'handler_failed',
    ],
    ['a rejection', () => Promise.reject(new Error('no backend')), 'handler_failed'],
  ])('counts %s as declined, with one warning, and requests the agent', async (_, handler, reason) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const one = open();
    one.page.onContextRequired(handler);
    await one.chat.start();
    await until(isJoined(one));
    expect(one.results).toEqual([{ status: 'declined', reason }]);
    expect(one.platform.session.contextTokens).toEqual([]);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('gives the handler four seconds, and drops a later result', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const one = open();
    let answer = (_token: string): void => {};
    one.page.onContextRequired(() => new Promise((resolve) => (answer = resolve)));
    await one.chat.start();
    await until(() => isOpen(one));
    one.clock.advance(3_999);
    await settle();
    expect(join(one)).toBeUndefined();
    one.clock.advance(1);
    await until(isJoined(one));
    expect(one.results).toEqual([{ status: 'declined', reason: 'timed_out' }]);
    answer('a.b.c');
    await settle();
    expect(one.platform.session.contextTokens).toEqual([]);
  });

  it('gives handler and submission five seconds together', async () => {
    const one = open();
    one.page.onContextRequired(() => 'a.b.c');
    const answer = one.platform.answer.bind(one.platform);
    one.platform.answer = (path, body) => (path.endsWith('/context') ? never() : answer(path, body));
    await one.chat.start();
    await until(() => isOpen(one));
    await settle();
    one.clock.advance(4_999);
    await settle();
    expect(join(one)).toBeUndefined();
    one.clock.advance(1);
    await until(isJoined(one));
  });

  it.each([
    [{ status: 404, code: 'CONTEXT_NOT_ENABLED' }, 'not_enabled'],
    [{ status: 422, code: 'INVALID_CONTEXT_TOKEN' }, 'invalid_token'],
    [{ status: 413, code: 'CONTEXT_TOKEN_TOO_LARGE' }, 'token_too_large'],
    [{ status: 404, code: 'SESSION_NOT_FOUND' }, 'session_over'],
    [{ status: 429, code: 'UPSTREAM_RATE_LIMITED' }, 'service_unavailable'],
    ['unreachable' as const, 'service_unavailable'],
  ])('requests the agent without verified context after %j, and reports why', async (fault, reason) => {
    const one = open();
    one.page.onContextRequired(() => {
      one.platform.faults.push(fault);
      return 'a.b.c';
    });
    await one.chat.start();
    await until(isJoined(one));
    expect(one.results).toEqual([{ status: 'failed', reason }]);
  });

  it('submits no context if the project does not use it', async () => {
    const one = open({});
    const seen: unknown[] = [];
    one.page.onContextRequired((session) => {
      seen.push(session.contextId);
      return 'a.b.c';
    });
    await one.chat.start();
    await until(isJoined(one));
    expect(seen).toEqual([undefined]);
    expect(one.platform.session.contextTokens).toEqual([]);
    expect(one.results).toEqual([{ status: 'failed', reason: 'not_enabled' }]);
  });

  it('uses the handler registered last, at the time of the call', async () => {
    const one = open();
    one.page.onContextRequired(() => 'first');
    await one.chat.start();
    one.page.onContextRequired(() => 'second');
    await until(isJoined(one));
    expect(one.platform.session.contextTokens).toEqual(['second']);
  });

  it('does not call the handler again after a reconnect, before or after the agent has joined', async () => {
    const one = open();
    let runs = 0;
    let answer = (_token: string): void => {};
    one.page.onContextRequired(() => {
      runs += 1;
      return new Promise((resolve) => (answer = resolve));
    });
    await one.chat.start();
    await until(() => runs === 1);
    one.platform.session.drop();
    await until(() => !isOpen(one));
    one.clock.advance(1_500);
    await until(() => isOpen(one));
    await settle();
    expect(join(one)).toBeUndefined();
    answer('a.b.c');
    await until(isJoined(one));
    one.platform.session.drop();
    await until(() => !isOpen(one));
    one.clock.advance(1_500);
    await until(() => isOpen(one));
    await settle();
    expect(runs).toBe(1);
    expect(sentTypes(one).filter((type) => type === 'REQUEST_AGENT_JOIN')).toHaveLength(1);
  });

  it('calls the handler again for a new session, but not if an agent has joined', async () => {
    const one = open();
    one.page.onContextRequired(({ sessionId }) => sessionId);
    await one.chat.start();
    await until(isJoined(one));
    one.chat.send('Hi');
    await until(() => one.lines().includes('user: Hi'));
    one.chat.destroy();
    const next = open(undefined, one);
    next.page.onContextRequired(({ sessionId }) => `again ${sessionId}`);
    await next.chat.start();
    await until(isJoined(next));
    await settle();
    expect(next.results).toEqual([]);
    await next.chat.endChat();
    await next.chat.newChat();
    await until(() => one.platform.sessions.length === 2 && isJoined(next)());
    expect(one.platform.session.contextTokens).toEqual([`again ${one.platform.session.id}`]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('of the page'))],
    [
      'throws',
      () => {
        throw new Error('of the page');
      },
    ],
    ['never ends', never],
  ])(
    "requests the agent although the page's callback %s, and reports that to the page",
    async (_, beforeJoin) => {
      const errors: unknown[] = [];
      const one = harness(undefined, {
        page: { beforeJoin },
        onError: ({ code, message }) => errors.push([code, message]),
      });
      await one.chat.start();
      await until(() => one.chat.connection.value.status === 'open');
      await settle();
      one.clock.advance(6_000);
      await until(() => one.lines().includes('agent: Hello'));
      expect(errors).toEqual([['BEFORE_JOIN_FAILED', expect.stringContaining('continues without')]]);
    },
  );

  it.each<[string, (one: Page) => void, boolean]>([
    ['been left', ({ chat }) => void chat.endChat(), false],
    [
      'ended',
      ({ platform }) => platform.session.emit('EVENT_TYPE_SESSION_END', { reason: 'REASON_NATURAL_END' }),
      true,
    ],
    [
      'got its agent',
      ({ platform }) => platform.session.emit('EVENT_TYPE_AGENT_JOINED', { agent_name: 'Ada' }),
      true,
    ],
  ])('requests no agent for a conversation that has %s meanwhile', async (_, happen, isStillOpen) => {
    const one = open();
    let answer = (_token: string): void => {};
    one.page.onContextRequired(() => new Promise((resolve) => (answer = resolve)));
    await one.chat.start();
    await until(() => isOpen(one));
    await settle();
    happen(one);
    await settle();
    answer('a.b.c');
    await settle();
    expect(isOpen(one)).toBe(isStillOpen);
    expect(join(one)).toBeUndefined();
  });

  it('refreshes verified context, one run at a time, without disturbing the conversation', async () => {
    const one = open();
    let answer = (_token: string): void => {};
    await one.page.refreshVerifiedContext();
    await one.chat.start();
    await until(isJoined(one));
    await one.page.refreshVerifiedContext();
    expect(one.results).toEqual([]);
    one.page.onContextRequired(() => new Promise((resolve) => (answer = resolve)));
    const first = one.page.refreshVerifiedContext();
    const second = one.page.refreshVerifiedContext();
    answer('new');
    await Promise.all([first, second]);
    expect(one.platform.session.contextTokens).toEqual(['new']);
    expect(one.results).toEqual([{ status: 'accepted' }]);
    expect(sentTypes(one)).toEqual(['REQUEST_AGENT_JOIN']);
  });

  it('refreshes verified context from a tab without a socket', async () => {
    const browser = new FakeBrowser();
    const one = open(undefined, {}, browser.openTab());
    await one.chat.start();
    await until(isJoined(one));
    const other = open(undefined, one, browser.openTab());
    await other.chat.start();
    await until(isJoined(other));
    expect(one.platform.session.peers.size).toBe(1);
    other.page.onContextRequired(({ contextId }) => `from the other tab for ${contextId}`);
    await other.page.refreshVerifiedContext();
    expect(other.results).toEqual([{ status: 'accepted' }]);
    expect(one.platform.session.contextTokens).toEqual(['from the other tab for ctx_1']);
  });

  it('releases everything when destroyed', async () => {
    const one = open();
    one.page.onContextRequired(() => never());
    await one.chat.start();
    await until(() => isOpen(one));
    await settle();
    const { pending } = one.clock;
    one.page.destroy();
    // The handler's timer, and the total timer.
    expect(one.clock.pending).toBe(pending - 2);
    one.chat.destroy();
    one.clock.advance(10_000);
    await settle();
    expect(one.results).toEqual([]);
    expect(join(one)).toBeUndefined();
  });
});

describe('what a page says in plain words', () => {
  it("sends the page's metadata with the join and every message, until it changes", async () => {
    const one = open();
    one.page.setContext({ page: 'Booking', step: 2, isReturning: true, nothing: null });
    await one.chat.start();
    await until(isJoined(one));
    expect(join(one)?.custom).toEqual({ page: 'Booking', step: '2', isReturning: 'true' });
    one.chat.send('One');
    one.page.setContext({});
    one.chat.send('Two');
    await until(() => one.lines().includes('user: Two'));
    const [first, second] = one.platform.session.received.filter(
      ({ type }) => type === 'EVENT_TYPE_USER_MESSAGE',
    );
    expect(first?.custom).toMatchObject({ page: 'Booking', local_id: expect.any(String) });
    expect(Object.keys(second?.custom ?? {}).sort()).toEqual(['client_event_id', 'local_id']);
  });

  it('sends metadata of the widget after that of the page, as far as a frame has room', async () => {
    const one = open();
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`fact${index}`, 'x']));
    const added = [{ page: 'https://shop.example/', time_zone: 'Asia/Tokyo', browser: 'Firefox 143' }];
    const page = createPageContext({
      chat: one.chat,
      clock: one.clock,
      onResult: () => {},
      added: () => added,
    });
    expect(page.pageContext()).toEqual(added[0]);
    page.setContext({ ...many, page: 'Booking' });
    expect(page.pageContext()).toEqual({ ...many, page: 'Booking', time_zone: 'Asia/Tokyo' });
  });

  it("sends the page's facts with messages written before its code has loaded", async () => {
    const words: ContextProvider = {};
    const one = harness({ contextId: 'ctx_1' }, { page: words });
    one.chat.send('Before the code');
    const page = createPageContext({ chat: one.chat, clock: one.clock, onResult: () => {} });
    Object.assign(words, page);
    const identified = page.identify({ id: 'ana' });
    page.setContext({ page: 'Booking' });
    one.chat.send('Before the hash of the user');
    await Promise.all([identified, one.chat.start()]);
    one.chat.send('Before the agent has come');
    await until(() => one.platform.session.received.length === 4);
    const [, ...messages] = one.platform.session.received;
    for (const { custom } of messages) expect(custom).toMatchObject({ user_id: 'ana', page: 'Booking' });
  });

  it('rejects attributes by name that do not fit into a frame', () => {
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`k${index}`, index]));
    for (const [facts, message] of [
      [{ local_id: 'x' }, '"local_id" is'],
      [{ ['k'.repeat(65)]: 1 }, 'longer than 64 bytes'],
      [{ note: 'é'.repeat(513) }, '"note" is longer than 1024 bytes'],
      [{ cart: ['a'] as unknown as string }, '"cart" must be'],
      [many, 'at most 14'],
    ] as const) {
      expect(() => toCustom(facts)).toThrow(message);
    }
    expect(Object.keys(toCustom({ ...many, k14: null }))).toHaveLength(14);
    const { page } = open();
    page.identify({ id: 'u1', name: 'Ana' });
    expect(() => page.setContext({ ...many, k13: null, k14: null })).toThrow('at most 14');
    for (const facts of [undefined, null, 'Booking', ['Booking'], 42])
      expect(() => page.setContext(facts as never)).toThrow('setContext takes facts');
  });
});

describe('whose conversation it is', () => {
  const identify = (one: Page, id: string): Promise<void> => one.page.identify({ id, name: `Name of ${id}` });
  const talk = async (one: Page, text: string): Promise<void> => {
    one.chat.send(text);
    await until(() => one.lines().includes(`user: ${text}`));
  };
  const userIds = ({ platform }: Page, index = -1) =>
    platform.sessions.at(index)?.received.map(({ custom }) => custom?.['user_id']);

  it('sends the user id to the agent, but stores only its hash', async () => {
    const one = open();
    await identify(one, 'ana@example.com');
    await one.chat.start();
    await until(isJoined(one));
    await talk(one, 'Hi');
    expect(userIds(one)).toEqual(['ana@example.com', 'ana@example.com']);
    await settle();
    const stored = JSON.stringify([...one.storage.values]);
    const kept = createHash('sha256').update(`https://chat.test\ndefault\nana@example.com`).digest('hex');
    expect(stored).toContain(`"owner":"sha256:${kept}"`);
    expect(stored).not.toContain('ana@');
  });

  it("applies users, logouts and messages in the page's order, awaited or not", async () => {
    const one = open();
    await identify(one, 'ana');
    await one.chat.start();
    await until(isJoined(one));
    await talk(one, 'My number is 42');
    void one.chat.logout();
    void identify(one, 'cleo');
    void identify(one, 'ben');
    await one.chat.start();
    await until(() => one.platform.sessions.length === 2 && isJoined(one)());
    await talk(one, 'Hello, I am Ben');
    expect(userIds(one)).toEqual(['ben', 'ben']);
    expect(one.lines().join()).not.toContain('42');
  });

  it('keeps the conversation for the same user, and for a visitor who signs in midway', async () => {
    const one = open();
    await one.chat.start();
    await until(isJoined(one));
    await talk(one, 'Before');
    await identify(one, 'ana');
    await talk(one, 'After');
    expect(one.lines()).toContain('user: Before');
    one.chat.destroy();
    const next = open(undefined, one);
    await identify(next, 'ana');
    await next.chat.start();
    await until(() => next.lines().includes('user: After'));
    expect(one.platform.sessions).toHaveLength(1);
  });

  it.each(['before the chat starts', 'in the middle'])(
    'starts a new conversation for another user who is identified %s',
    async (when) => {
      const one = open();
      await identify(one, 'ana');
      await one.chat.start();
      await until(isJoined(one));
      await talk(one, 'My number is 42');
      one.chat.destroy();
      const next = open(undefined, one);
      if (when === 'before the chat starts') await identify(next, 'ben');
      await next.chat.start();
      if (when === 'in the middle') {
        await until(isJoined(next));
        await identify(next, 'ben');
      }
      await until(() => one.platform.sessions.length === 2 && isJoined(next)());
      expect(next.lines().join()).not.toContain('42');
      expect(one.platform.loggedOut).toEqual([one.platform.sessions[0]?.id]);
      await talk(next, 'Hello, I am Ben');
      expect(userIds(next)).toEqual(['ben', 'ben']);
      await settle();
      const before = JSON.stringify(one.platform.sessions[0]?.id);
      expect(JSON.stringify([...next.storage.values])).not.toContain(before);
    },
  );

  it("sends the new user's id while the proxy is still revoking the previous user", async () => {
    const one = open();
    const { chat, clock } = one;
    // Resolves when the proxy has responded, which never happens here.
    const claim = (userId: string) => chat.claim(userId).then(never);
    const words = createPageContext({ chat: { ...chat, claim }, clock, onResult: () => undefined });
    Object.assign(one.provider, words);
    void words.identify({ id: 'ana' });
    await chat.start();
    await until(isJoined(one));
    await talk(one, 'Hi');
    expect(userIds(one)?.at(-1)).toBe('ana');
  });

  it('changes the user for all tabs, and ignores a tab that still acts for another user', async () => {
    const browser = new FakeBrowser();
    const one = open(undefined, {}, browser.openTab());
    await identify(one, 'ana');
    one.page.onContextRequired(() => 'signed for ana');
    await one.chat.start();
    await until(isJoined(one));
    await talk(one, 'My number is 42');
    const other = open(undefined, one, browser.openTab());
    await identify(other, 'ben');
    const shown: string[] = [];
    other.chat.subscribe(() => shown.push(...other.lines()));
    await other.chat.start();
    await until(() => one.platform.sessions.length === 2 && isJoined(other)());
    await until(() => other.lines().length === 2);
    expect([...one.lines(), ...other.lines()].join()).not.toContain('42');
    expect(shown.join()).not.toContain('42');
    await talk(other, 'From Ben');
    await talk(one, 'From the tab of Ana');
    expect(userIds(one)).toEqual([undefined, 'ben', undefined]);
    expect(one.platform.session.contextTokens).toEqual([]);
  });

  it.each([undefined, 'ana', {}, { name: 'Ana' }, { id: '' }, { id: null }, { id: {} }, ['ana']])(
    'keeps the user when the page passes %j, and names the accepted values',
    async (user) => {
      const one = open();
      await identify(one, 'ana');
      await one.chat.start();
      await until(isJoined(one));
      await expect(one.page.identify(user as never)).rejects.toThrow('identify takes the user with an id');
      await talk(one, 'Who am I?');
      expect(userIds(one)).toEqual(['ana', 'ana']);
    },
  );

  it('accepts a number as user id', async () => {
    const one = open();
    await one.page.identify({ id: 42 } as never);
    await one.chat.start();
    await until(isJoined(one));
    await talk(one, 'Who am I?');
    expect(userIds(one)).toEqual(['42', '42']);
  });

  it('makes a conversation anonymous after a logout', async () => {
    const one = open();
    await identify(one, 'ana');
    await one.chat.start();
    await until(isJoined(one));
    await talk(one, 'Hi');
    await one.chat.logout();
    await one.chat.start();
    await until(() => one.platform.sessions.length === 2 && isJoined(one)());
    await talk(one, 'Who am I?');
    expect(userIds(one)).toEqual([undefined, undefined]);
  });
});
