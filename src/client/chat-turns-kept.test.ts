import { afterEach, describe, expect, it } from 'vitest';
import { type ChatHarness, isOpen, settle, trackHarnesses, until } from '../../test/chat-harness.ts';
import { FakeBrowser } from '../../test/fake-browser.ts';
import { aboard, blockSockets, isInTurns, refusal, say, turn } from '../../test/turn-server.ts';
import { STATE_VERSION } from './conversation/conversation-state.ts';

const { greeted, harness, reload } = trackHarnesses(afterEach);

const ABOUT_DOGS = ['* agent_joined', 'agent: Ahoy', 'user: dogs', 'agent: About dogs'];

const storedText = ({ storage }: ChatHarness): string => JSON.stringify([...storage.values.values()]);

/** Waits until pending writes have reached the storage. */
async function stored(one: ChatHarness, text: string): Promise<void> {
  await until(() => storedText(one).includes(text), `${text} is stored`);
  await settle();
}

/** The proxy delays its responses until released. */
function holdTurns({ platform }: ChatHarness): () => void {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answer = platform.chat;
  platform.chat = async (path, body) => {
    const response = answer?.(path, body) ?? Response.error();
    await held;
    return response;
  };
  return release;
}

function retryLast({ chat }: ChatHarness): void {
  const item = chat.messages.value.findLast(({ value }) => value.kind === 'user')?.value;
  if (item?.kind !== 'user' || item.localId === null) throw new Error('There is no draft.');
  chat.retry(item.localId);
}

describe('a conversation in turns that is reloaded', () => {
  it('shows a reloaded conversation in turns at once, resumes it, and tries no socket first', async () => {
    const { one, server } = await aboard(harness());
    await say(one, 'dogs');
    await stored(one, 'About dogs');
    const { length } = one.platform.handshakes;
    const next = reload(one);
    expect(await next.chat.hasStoredConversation()).toBe(true);
    await next.chat.start();
    expect(next.lines()).toEqual(ABOUT_DOGS);
    await until(() => isInTurns(next));
    expect(one.platform.handshakes).toHaveLength(length);
    await say(next, 'bikes');
    expect(next.lines()).toEqual([...ABOUT_DOGS, 'user: bikes', 'agent: About bikes']);
    expect(server.created()).toBe(1);
    expect(server.calls.at(-1)?.chat).toBe('sealed-2');
    expect(one.platform.sessions).toHaveLength(1);
    expect(next.chat.unread.value).toBeGreaterThan(0);
  });

  it("does not store the composer's draft with a conversation in turns", async () => {
    const { one } = await aboard(harness());
    one.chat.setUnsent('Half a thought');
    await say(one, 'dogs');
    await stored(one, 'About dogs');
    expect(storedText(one)).not.toContain('Half a thought');
    const next = reload(one);
    await next.chat.start();
    expect([next.lines(), next.chat.unsent.value]).toEqual([ABOUT_DOGS, 'Half a thought']);
  });

  it('leaves the reference in the cookie if the proxy sets one', async () => {
    const { one, server } = await aboard(harness({ keepsCookie: true }));
    await say(one, 'dogs');
    await stored(one, 'About dogs');
    expect(storedText(one)).toContain('"chat":"cookie"');
    expect(storedText(one)).not.toContain('sealed-');
    const next = reload(one);
    await next.chat.start();
    await until(() => isInTurns(next));
    await say(next, 'bikes');
    await say(next, 'cars');
    expect(server.calls.map(({ route, chat }) => [route, chat])).toEqual([
      ['create', undefined],
      ['respond', 'sealed-1'],
      ['respond', undefined],
      ['respond', 'sealed-3'],
    ]);
  });

  it('does not resend a message whose answer was cut off without the visitor', async () => {
    const { one, server } = await aboard(harness());
    await say(one, 'dogs');
    const release = holdTurns(one);
    one.chat.send('bikes');
    await until(() => server.texts().length === 2);
    await stored(one, 'bikes');
    const next = reload(one);
    release();
    await next.chat.start();
    await until(() => next.lines().at(-1) === 'user: bikes (failed)');
    for (const delayMs of [5_000, 10_000, 20_000]) {
      next.clock.advance(delayMs);
      await settle();
    }
    expect(next.chat.typing.value).toBeNull();
    expect(server.texts()).toEqual(['dogs', 'bikes']);
    retryLast(next);
    await until(() => next.lines().at(-1) === 'agent: About bikes');
    expect(server.texts()).toEqual(['dogs', 'bikes', 'bikes']);
    expect(next.lines()).toEqual([...ABOUT_DOGS, 'user: bikes', 'agent: About bikes']);
  });

  it('sends queued messages once after a reload in turns', async () => {
    const { one, server } = await aboard(harness());
    await say(one, 'dogs');
    one.device.setOnline(false);
    one.chat.send('bikes');
    await stored(one, 'bikes');
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().at(-1) === 'agent: About bikes');
    expect(server.texts()).toEqual(['dogs', 'bikes']);
  });

  it('starts another conversation with the next message when the proxy has dropped the old one', async () => {
    const { one, server } = await aboard(harness());
    await say(one, 'dogs');
    await stored(one, 'About dogs');
    const next = reload(one);
    await next.chat.start();
    await until(() => isInTurns(next));
    server.script.push(refusal(410, 'CHAT_ENDED'));
    await say(next, 'bikes');
    expect(next.lines()).toEqual([...ABOUT_DOGS, 'user: bikes', 'agent: About bikes']);
    expect(server.created()).toBe(2);
  });

  it('drops a stored conversation in turns after ten minutes, and at its end', async () => {
    const { one, server } = await aboard(harness());
    await say(one, 'dogs');
    await stored(one, 'About dogs');
    one.chat.destroy();
    one.clock.advance(600_000);
    const next = reload(one);
    await next.chat.start();
    await turn(next);
    await until(() => next.lines().includes('agent: Ahoy'));
    expect(next.lines()).toEqual(['* agent_joined', 'agent: Ahoy']);
    await say(next, 'bikes');
    await stored(next, 'About bikes');
    await next.chat.endChat();
    await until(() => one.storage.values.size === 0);
    expect(server.calls.at(-1)).toMatchObject({ route: 'close', chat: 'sealed-4' });
  });

  it('ignores a stored conversation of another version', async () => {
    const { one } = await aboard(harness());
    await say(one, 'dogs');
    await stored(one, 'About dogs');
    const [[key, value] = ['', null]] = one.storage.values;
    const { turns } = Object(value);
    expect(turns.version).toBe(STATE_VERSION);
    const next = reload(one);
    one.storage.values.set(key, { ...Object(value), turns: { ...turns, version: STATE_VERSION + 1 } });
    await next.chat.start();
    await turn(next);
    await until(() => next.lines().length > 0);
    expect(next.lines()).not.toContain('user: dogs');
  });

  it('stores nothing in the browser before the first message in turns', async () => {
    const { one } = await aboard(harness());
    one.clock.advance(30_000);
    await settle();
    expect(one.storage.writes).toBe(0);
  });

  it('still shows the messages of turns when the socket is back', async () => {
    const { one } = await aboard(harness());
    await say(one, 'dogs');
    one.platform.refusals = 0;
    one.device.say('online');
    await until(() => one.chat.connection.value.status === 'reconnecting');
    await settle();
    one.clock.advance(1_000);
    await until(() => isOpen(one) && !isInTurns(one));
    one.platform.session.say('Over the socket');
    await until(() => one.lines().at(-1) === 'agent: Over the socket');
    await stored(one, '"chat":""');
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().at(-1) === 'agent: Over the socket');
    expect(next.lines()).toEqual([...ABOUT_DOGS, 'agent: Over the socket']);
    expect(next.chat.connection.value).toEqual({ status: 'open' });
    // Nothing is left to retry.
    const { length } = one.platform.handshakes;
    next.clock.advance(15_000);
    next.device.say('online');
    await settle();
    expect(one.platform.handshakes).toHaveLength(length);
    const again = reload(next);
    await again.chat.start();
    await until(() => isOpen(again));
    expect(again.lines()).toEqual(next.lines());
    expect(one.platform.sessions).toHaveLength(1);
  });
});

describe('a page that is put away while its message waits', () => {
  it('does not send a waiting message of a page that was suspended', async () => {
    const { one, server } = await aboard(harness());
    server.script.push(refusal(429, 'RATE_LIMITED', '3'));
    one.chat.send('dogs');
    await until(() => server.texts().length === 1);
    await settle();
    one.device.say('suspended');
    one.clock.advance(3_000);
    await settle();
    expect(server.texts()).toEqual(['dogs']);
    one.device.say('resumed');
    await until(() => one.lines().at(-1) === 'user: dogs (failed)');
    retryLast(one);
    await until(() => one.lines().at(-1) === 'agent: About dogs');
    expect(server.texts()).toEqual(['dogs', 'dogs']);
  });
});

describe('another network', () => {
  it('tries a socket at once on another network, but not repeatedly', async () => {
    const { one } = await aboard(harness());
    const { length } = one.platform.handshakes;
    one.device.say('online');
    one.device.say('online');
    await settle();
    expect(one.platform.handshakes).toHaveLength(length + 1);
    expect(isInTurns(one)).toBe(true);
    one.clock.advance(10_000);
    one.platform.refusals = 0;
    one.device.say('online');
    await until(() => one.chat.connection.value.status === 'reconnecting');
    await settle();
    one.clock.advance(1_000);
    await until(() => isOpen(one));
    expect(one.chat.connection.value).toEqual({ status: 'open' });
  });
});

describe('a person who was there', () => {
  it('replaces a person by the automated agent in turns, and restores them with the socket', async () => {
    const one = await greeted();
    one.platform.session.emit('EVENT_TYPE_LIVE_AGENT_JOINED', { agent_id: 'p', agent_name: 'Bo' });
    await until(() => one.chat.speaker.value?.kind === 'live_agent');
    blockSockets(one);
    one.platform.session.drop();
    await until(() => !isOpen(one));
    await turn(one);
    await until(() => one.chat.speaker.value?.kind === 'agent');
    one.platform.session.say('Are you there?');
    one.platform.refusals = 0;
    one.device.say('online');
    await until(() => one.chat.connection.value.status === 'reconnecting');
    await settle();
    one.clock.advance(1_000);
    await until(() => one.lines().at(-1) === 'agent: Are you there?');
    expect(one.chat.speaker.value).toMatchObject({ kind: 'live_agent', id: 'p', name: 'Bo' });
    expect(one.lines().slice(-3)).toEqual(['* agent_joined', '* live_agent_joined', 'agent: Are you there?']);
  });

  it('clears the queue in turns', async () => {
    const one = await greeted();
    one.platform.session.emit(
      'EVENT_TYPE_HANDOFF_QUEUE_STATUS',
      { queue_name: 'desk', position_in_queue: 3 },
      { isTransient: true },
    );
    await until(() => one.chat.queue.value !== null);
    blockSockets(one);
    one.platform.session.drop();
    await until(() => !isOpen(one));
    await turn(one);
    await until(() => one.chat.queue.value === null);
  });
});

describe('tabs of one browser, in turns', () => {
  /** Two tabs of which the first one leads. */
  async function pair() {
    const browser = new FakeBrowser();
    const firstTab = browser.openTab();
    const { one, server } = await aboard(harness({}, {}, {}, firstTab));
    const other = harness({}, {}, one, browser.openTab());
    await other.chat.start();
    await until(() => isInTurns(other) && other.lines().includes('agent: Ahoy'));
    await say(other, 'dogs');
    expect(one.lines()).toEqual(ABOUT_DOGS);
    return { one, other, server, firstTab };
  }

  it.each(['closed', 'crashed', 'put away'])('continues in turns when the leader is %s', async (how) => {
    const { one, other, server, firstTab } = await pair();
    const { length } = one.platform.handshakes;
    if (how === 'closed') one.chat.destroy();
    else if (how === 'crashed') firstTab.crash();
    else one.device.say('suspended');
    await until(() => one.platform.calls.some(({ path }) => path === '/v1/resume'));
    await settle();
    await say(other, 'bikes');
    expect(other.lines()).toEqual([...ABOUT_DOGS, 'user: bikes', 'agent: About bikes']);
    expect(server.calls.map(({ route }) => route)).toEqual(['create', 'respond', 'respond']);
    expect(one.platform.handshakes).toHaveLength(length);
    expect(isInTurns(other)).toBe(true);
    if (how !== 'put away') return;
    one.device.say('resumed');
    await until(() => one.lines().at(-1) === 'agent: About bikes');
    expect(one.lines()).toEqual(other.lines());
  });

  it('continues in turns when the leader is frozen, and sends nothing that it may still send', async () => {
    const { one, other, server, firstTab } = await pair();
    firstTab.freeze();
    other.chat.send('bikes');
    for (let passedMs = 0; passedMs < 2_000; passedMs += 100) {
      one.clock.advance(100);
      await settle();
    }
    expect(other.lines()).toEqual([...ABOUT_DOGS, 'user: bikes (failed)']);
    other.chat.send('cars');
    await until(() => other.lines().includes('agent: About cars'));
    firstTab.thaw();
    await until(() => one.lines().includes('agent: About cars'));
    expect(server.texts().filter((text) => text === 'bikes').length).toBeLessThanOrEqual(1);
    expect(server.created()).toBe(1);
  });

  it('reports a possibly lost message when the leader crashes during its turn', async () => {
    const { one, other, server, firstTab } = await pair();
    const release = holdTurns(one);
    other.chat.send('bikes');
    await until(() => server.texts().length === 2);
    await until(() => other.lines().at(-1) === 'user: bikes (pending)');
    firstTab.crash();
    release();
    await until(() => other.lines().at(-1) === 'user: bikes (failed)');
    expect(server.texts()).toEqual(['dogs', 'bikes']);
    retryLast(other);
    await until(() => other.lines().at(-1) === 'agent: About bikes');
  });
});
