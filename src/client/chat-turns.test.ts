import { afterEach, describe, expect, it } from 'vitest';
import { type ChatHarness, isOpen, settle, trackHarnesses, until } from '../../test/chat-harness.ts';
import { aboard, blockSockets, isInTurns, refusal, say, turn } from '../../test/turn-server.ts';

const { greeted, harness, reload } = trackHarnesses(afterEach);

describe('a network that lets no socket through', () => {
  it('converses in turns on a network that blocks sockets, in the same transcript', async () => {
    const { one, server } = await aboard(harness());
    await say(one, 'dogs');
    await say(one, 'bikes');
    expect(one.lines()).toEqual([
      '* agent_joined',
      'agent: Ahoy',
      'user: dogs',
      'agent: About dogs',
      'user: bikes',
      'agent: About bikes',
    ]);
    expect(server.calls.map(({ chat }) => chat)).toEqual([undefined, 'sealed-1', 'sealed-2']);
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('detects sockets blocked by a policy at once, without waiting for a timeout', async () => {
    const one = harness();
    blockSockets(one);
    one.platform.isForbidden = true;
    void one.chat.start();
    await until(() => one.chat.connection.value.status === 'reconnecting');
  });

  it('keeps the messages and does not repeat the greeting when sockets are blocked in mid-conversation', async () => {
    const one = await greeted();
    one.chat.send('Hello Ada');
    await until(() => one.lines().at(-1) === 'user: Hello Ada');
    const server = blockSockets(one);
    one.platform.session.drop();
    await until(() => !isOpen(one));
    await turn(one);
    await say(one, 'bikes');
    expect(one.lines()).toEqual([
      '* agent_joined',
      'agent: Hello',
      'user: Hello Ada',
      'user: bikes',
      'agent: About bikes',
    ]);
    expect(server.created()).toBe(1);
  });

  it('sends one message at a time in turns, in order, and none twice', async () => {
    const { one, server } = await aboard(harness());
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answer = one.platform.chat;
    one.platform.chat = async (path, body) => {
      await held;
      return answer?.(path, body) ?? Response.error();
    };
    one.chat.send('first');
    one.chat.send('second');
    // Long enough for every resend of the outbox (DEL-4).
    for (const delayMs of [5_000, 5_000, 10_000]) {
      one.clock.advance(delayMs);
      await settle();
    }
    expect(one.chat.typing.value).not.toBeNull();
    release();
    await until(() => one.lines().at(-1) === 'agent: About second');
    expect(server.texts()).toEqual(['first', 'second']);
    expect(one.chat.typing.value).toBeNull();
  });

  it('reports a blocked network if the proxy has no chat access', async () => {
    const one = harness();
    blockSockets(one);
    one.platform.probe = { handshake: 'accepted', status: 101, has_chat: false };
    void one.chat.start();
    for (let step = 0; step < 40 && one.chat.connection.value.status !== 'failed'; step++) {
      await settle();
      one.clock.advance(30_000);
    }
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'reconnect_budget_spent' });
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('reports a blocked network if the chat in turns fails as well', async () => {
    const one = harness();
    blockSockets(one);
    one.platform.chat = () => refusal(503, 'UPSTREAM_UNAVAILABLE');
    void one.chat.start();
    for (let step = 0; step < 60 && one.chat.connection.value.status !== 'failed'; step++) {
      await settle();
      one.clock.advance(30_000);
    }
    expect(one.chat.connection.value.status).toBe('failed');
  });
});

describe('a turn', () => {
  it('shows that an answer is being prepared, for as long as that takes', async () => {
    const { one } = await aboard(harness());
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answer = one.platform.chat;
    one.platform.chat = async (path, body) => {
      await held;
      return answer?.(path, body) ?? Response.error();
    };
    one.chat.send('dogs');
    await until(() => one.chat.typing.value !== null);
    for (let passedMs = 0; passedMs < 24_000; passedMs += 1_000) {
      one.clock.advance(1_000);
      await settle();
      expect(one.chat.typing.value).not.toBeNull();
    }
    release();
    await until(() => one.lines().at(-1) === 'agent: About dogs');
    expect(one.chat.typing.value).toBeNull();
  });

  it('waits after a rate limit in turns and continues', async () => {
    const { one, server } = await aboard(harness());
    server.script.push(refusal(429, 'RATE_LIMITED', '3'));
    one.chat.send('dogs');
    await until(() => server.texts().length === 1);
    await settle();
    one.clock.advance(3_000);
    await until(() => one.lines().at(-1) === 'agent: About dogs');
    expect(server.texts()).toEqual(['dogs', 'dogs']);
  });

  it.each([
    ['whose answer is lost', 'unreachable' as const],
    ['that fails at the platform', refusal(503, 'UPSTREAM_UNAVAILABLE')],
  ])('leaves it to the visitor to send %s again', async (_, answer) => {
    const { one, server } = await aboard(harness());
    server.script.push(answer);
    one.chat.send('dogs');
    await until(() => one.lines().at(-1) === 'user: dogs (failed)');
    expect(one.chat.connection.value.status).toBe('reconnecting');
    one.clock.advance(30_000);
    await turn(one);
    expect(server.texts()).toEqual(['dogs']);
    const item = one.chat.messages.value.at(-1)?.value;
    one.chat.retry(item?.kind === 'user' ? (item.localId ?? '') : '');
    await until(() => one.lines().at(-1) === 'agent: About dogs');
    expect([server.texts(), server.created()]).toEqual([['dogs', 'dogs'], 1]);
  });

  it('starts another conversation with the message after a long silence in turns', async () => {
    const { one, server } = await aboard(harness());
    server.script.push(refusal(410, 'CHAT_ENDED'));
    await say(one, 'dogs');
    expect(server.calls.map(({ route, chat }) => [route, chat])).toEqual([
      ['create', undefined],
      ['respond', 'sealed-1'],
      ['create', undefined],
      ['respond', 'sealed-3'],
    ]);
    expect(one.lines().filter((line) => line === 'agent: Ahoy')).toHaveLength(1);
  });

  it('ends the conversation at a handoff in turns, with the request to get in touch', async () => {
    const { one, server } = await aboard(harness());
    const handoff = { destination: 'harbour office', reason: 'lost luggage' };
    server.script.push(Response.json({ chat: 'c', text: 'One moment.', is_over: true, handoff }));
    one.chat.send('My bag is gone');
    await until(() => one.chat.session.value.status === 'ended');
    expect(one.chat.session.value).toEqual({ status: 'ended', by: 'agent' });
    expect(one.lines().slice(-3)).toEqual([
      'user: My bag is gone',
      'agent: One moment.',
      '* handoff_required',
    ]);
    const notice = one.chat.messages.value.at(-1)?.value;
    expect(notice).toMatchObject({ notice: { code: 'handoff_required', route: null } });
    expect(one.chat.send('Hello?')).toEqual({ status: 'refused', reason: 'chat_ended' });
  });
});

describe('a conversation in turns', () => {
  it('closes the conversation in turns when the visitor ends it', async () => {
    const { one, server } = await aboard(harness());
    await one.chat.endChat();
    expect(one.chat.session.value).toEqual({ status: 'ended', by: 'user' });
    await until(() => server.calls.at(-1)?.route === 'close');
  });

  it('shows a lost connection in turns when the proxy is down', async () => {
    const { one } = await aboard(harness());
    one.clock.advance(30_000);
    await settle();
    expect(isOpen(one)).toBe(true);
    one.platform.isDown = true;
    one.clock.advance(30_000);
    await settle();
    one.clock.advance(9_999);
    expect(isOpen(one)).toBe(true);
    one.clock.advance(1);
    expect(one.chat.connection.value.status).toBe('reconnecting');
  });

  it('switches back to the socket when that works again, and keeps the messages', async () => {
    const { one, server } = await aboard(harness());
    await say(one, 'dogs');
    one.clock.advance(15_000);
    await settle();
    expect(one.chat.connection.value).toEqual({ status: 'open', isTurnBased: true });
    one.platform.refusals = 0;
    one.clock.advance(60_000);
    await until(() => one.chat.connection.value.status === 'reconnecting');
    await settle();
    one.clock.advance(1_000);
    await until(() => isOpen(one));
    expect(one.chat.connection.value).toEqual({ status: 'open' });
    expect(server.calls.at(-1)).toMatchObject({ route: 'close' });
    one.chat.send('bikes');
    await until(() => one.platform.session.userTexts.includes('bikes'));
    await until(() => one.lines().at(-1) === 'user: bikes');
    expect(one.lines()).toContain('agent: About dogs');
    expect(server.texts()).toEqual(['dogs']);
  });

  it('does not switch to the socket during an answer', async () => {
    const { one, server } = await aboard(harness());
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answer = one.platform.chat;
    one.platform.chat = async (path, body) => {
      await held;
      return answer?.(path, body) ?? Response.error();
    };
    one.clock.advance(14_000);
    one.chat.send('dogs');
    await settle();
    one.platform.refusals = 0;
    one.clock.advance(1_000);
    await settle();
    expect(one.chat.connection.value).toEqual({ status: 'open', isTurnBased: true });
    release();
    await until(() => one.lines().includes('agent: About dogs'));
    await until(() => server.calls.at(-1)?.route === 'close');
    expect(server.texts()).toEqual(['dogs']);
  });

  it('keeps the session alive until the socket is open', async () => {
    const { one } = await aboard(harness());
    one.platform.refusals = 0;
    one.clock.advance(15_000);
    await until(() => one.chat.connection.value.status === 'reconnecting');
    expect(one.platform.session.received.map(({ type }) => type)).toEqual(['EVENT_TYPE_HEARTBEAT']);
  });

  it('leaves no timer after a conversation in turns', async () => {
    const { one } = await aboard(harness());
    await say(one, 'dogs');
    one.chat.destroy();
    await settle();
    expect(one.clock.pending).toBe(0);
  });
});

describe('a conversation in turns that outlives its session (HB-3)', () => {
  /** Exchanges messages until the session has expired; sockets would work by then. */
  async function outlive(one: ChatHarness): Promise<readonly string[]> {
    const questions = Array.from({ length: 7 }, (_, n) => `question ${n}`);
    for (const question of questions) {
      await say(one, question);
      one.clock.advance(90_000);
      await settle();
    }
    one.platform.session.isGone = true;
    one.platform.refusals = 0;
    one.platform.probe = null;
    return questions;
  }

  it('continues in turns after its session has expired, and tries no socket that could not resume it', async () => {
    const { one, server } = await aboard(harness());
    const questions = await outlive(one);
    const { length } = one.platform.handshakes;
    one.device.say('online');
    one.clock.advance(300_000);
    await settle();
    one.device.say('online');
    await say(one, 'the last');
    expect(one.platform.handshakes).toHaveLength(length);
    expect(one.chat.connection.value).toEqual({ status: 'open', isTurnBased: true });
    expect(server.texts()).toEqual([...questions, 'the last']);
    expect(one.lines().slice(2)).toEqual(
      [...questions, 'the last'].flatMap((text) => [`user: ${text}`, `agent: About ${text}`]),
    );
    expect([server.created(), one.platform.sessions.length]).toEqual([1, 1]);
  });

  it('uses a socket for the next conversation', async () => {
    const { one, server } = await aboard(harness());
    await outlive(one);
    await one.chat.newChat();
    await until(() => one.platform.sessions.length === 2 && one.lines().includes('agent: Hello'));
    expect(one.chat.connection.value).toEqual({ status: 'open' });
    expect(server.calls.at(-1)?.route).toBe('close');
    one.chat.send('bikes');
    await until(() => one.platform.session.userTexts.includes('bikes'));
  });

  it('continues in turns after an outage of the proxy and after its token has expired', async () => {
    const { one, server } = await aboard(harness({ tokenLifeSeconds: 600 }));
    // Nothing renews the session's credentials any more.
    one.platform.loggedOut.push(one.platform.session.id);
    const questions = await outlive(one);
    one.platform.isDown = true;
    one.clock.advance(30_000);
    await settle();
    one.clock.advance(45_000);
    expect(one.chat.connection.value.status).toBe('reconnecting');
    one.platform.isDown = false;
    await turn(one);
    await say(one, 'bikes');
    expect(server.texts()).toEqual([...questions, 'bikes']);
    expect(one.lines()).toContain('user: question 0');
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('continues in turns after a reload without trying a socket', async () => {
    const { one, server } = await aboard(harness());
    const questions = await outlive(one);
    const before = one.lines();
    const { length } = one.platform.handshakes;
    const next = reload(one);
    await next.chat.start();
    await until(() => isInTurns(next));
    next.device.say('online');
    next.clock.advance(300_000);
    await settle();
    next.device.say('online');
    await say(next, 'bikes');
    expect(next.lines()).toEqual([...before, 'user: bikes', 'agent: About bikes']);
    expect(server.texts()).toEqual([...questions, 'bikes']);
    expect(one.platform.handshakes).toHaveLength(length);
  });

  it('ends in turns after ten minutes of silence, and lets the visitor start again', async () => {
    const { one } = await aboard(harness());
    await say(one, 'dogs');
    one.chat.setUnsent('Half a thought');
    for (let passedMs = 0; passedMs <= 600_000; passedMs += 30_000) {
      one.clock.advance(30_000);
      await settle();
    }
    expect(one.chat.session.value).toEqual({ status: 'expired' });
    expect(one.lines()).toContain('agent: About dogs');
    one.platform.refusals = 0;
    await one.chat.newChat();
    await until(() => isOpen(one) && one.lines().includes('agent: Hello'));
    expect(one.chat.unsent.value).toBe('Half a thought');
  });
});
