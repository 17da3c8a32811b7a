import { afterEach, describe, expect, it } from 'vitest';
import { type ChatHarness, createHarness, settle, until } from '../../test/chat-harness.ts';

const made: ChatHarness[] = [];
const harness = (...parameters: Parameters<typeof createHarness>): ChatHarness => {
  const one = createHarness(...parameters);
  made.push(one);
  return one;
};
const reload = (one: ChatHarness, ...parameters: Parameters<ChatHarness['reload']>): ChatHarness => {
  one.chat.destroy();
  const next = one.reload(...parameters);
  made.push(next);
  return next;
};
afterEach(() => {
  for (const { chat } of made.splice(0)) chat.destroy();
});

const isOpen = ({ chat }: ChatHarness): boolean => chat.connection.value.status === 'open';
const sentTypes = ({ platform }: ChatHarness): string[] =>
  platform.session.received.map(({ type }) => type.replace('EVENT_TYPE_', ''));

async function greeted(...parameters: Parameters<typeof createHarness>): Promise<ChatHarness> {
  const one = harness(...parameters);
  await one.chat.start();
  await until(() => one.lines().includes('agent: Hello'));
  return one;
}

describe('a conversation', () => {
  it('starts, is greeted, asks and is answered', async () => {
    const one = await greeted({ onUserMessage: (session, text) => session.say(`You said ${text}`) });
    expect(one.chat.speaker.value).toMatchObject({ kind: 'agent', name: 'Ada' });
    expect(one.chat.session.value).toEqual({ status: 'active' });
    expect(one.chat.send('  hi  ')).toMatchObject({ status: 'accepted' });
    expect(one.lines().at(-1)).toBe('user: hi (pending)');
    await until(() => one.lines().length === 4);
    expect(one.lines()).toEqual(['* agent_joined', 'agent: Hello', 'user: hi', 'agent: You said hi']);
    expect(one.chat.unread.value).toBe(2);
    one.chat.markRead();
    expect(one.chat.unread.value).toBe(0);
  });

  it('sends once what was written before the socket opened', async () => {
    const one = harness();
    one.chat.send('early');
    expect(one.lines()).toEqual(['user: early (queued)']);
    await one.chat.start();
    await until(() => one.lines().at(-1) === 'user: early');
    expect(one.platform.session.userTexts).toEqual(['early']);
  });

  it('refuses blank text and text after the end', async () => {
    const one = await greeted();
    expect(one.chat.send(' \n ')).toEqual({ status: 'refused', reason: 'blank' });
    one.platform.session.end('REASON_NATURAL_END');
    await until(() => one.chat.session.value.status === 'ended');
    expect(one.chat.send('too late')).toEqual({ status: 'refused', reason: 'chat_ended' });
    expect(one.chat.session.value).toEqual({ status: 'ended', by: 'agent' });
    await until(() => one.chat.connection.value.status === 'closed');
  });

  it('fails a message over the limit at once, measured on the whole frame', async () => {
    const one = await greeted({ capabilities: { max_message_size_bytes: 300 } });
    one.chat.send('x'.repeat(299));
    expect(one.lines().at(-1)).toMatch(/\(failed\)$/);
    await settle();
    expect(one.platform.session.userTexts).toEqual([]);
  });

  it('touches one entry when a chunk arrives', async () => {
    const one = await greeted();
    const { session } = one.platform;
    const piece = (chunk_index: number, text: string, is_complete = false): void => {
      session.emit('EVENT_TYPE_AGENT_MESSAGE_CHUNK', { message_id: 's', chunk_index, text, is_complete });
    };
    piece(1, 'One ');
    await until(() => one.lines().at(-1) === 'agent: One …');
    const before = one.chat.messages.value;
    const values = before.map((entry) => entry.value);
    piece(2, 'two', true);
    await until(() => one.lines().at(-1) === 'agent: One two');
    expect(one.chat.messages.value).toBe(before);
    expect(before.map((entry, index) => entry.value === values[index])).toEqual([true, true, false]);
  });

  it('shows suggestions of the latest message until the visitor says something', async () => {
    const one = await greeted();
    one.platform.session.say('Which?', {
      response_suggestions: [{ message_text: 'A' }, { message_text: 'B' }],
    });
    await until(() => one.chat.suggestions.value.length === 2);
    one.chat.send('A');
    expect(one.chat.suggestions.value).toEqual([]);
    await until(() => one.lines().at(-1) === 'user: A');
    expect(one.chat.suggestions.value).toEqual([]);
  });

  it('shows who types for ten seconds at most', async () => {
    const one = await greeted();
    one.platform.session.emit('EVENT_TYPE_AGENT_THINKING', {}, { isTransient: true });
    await until(() => one.chat.typing.value?.speaker.name === 'Ada');
    one.clock.advance(9_999);
    expect(one.chat.typing.value).not.toBeNull();
    one.clock.advance(1);
    expect(one.chat.typing.value).toBeNull();
  });

  it('tells a person from the agent through a hand-off', async () => {
    const one = await greeted();
    const { session } = one.platform;
    session.emit('EVENT_TYPE_AGENT_TRIGGERED_HANDOFF', {});
    session.emit('EVENT_TYPE_AGENT_LEFT', {});
    session.emit('EVENT_TYPE_HANDOFF_ACCEPTED', { queue_name: 'Desk' });
    session.emit('EVENT_TYPE_HANDOFF_QUEUE_STATUS', { position_in_queue: 2 }, { isTransient: true });
    await until(() => one.chat.queue.value?.position === 2);
    expect(one.chat.speaker.value).toBeNull();
    session.emit('EVENT_TYPE_LIVE_AGENT_JOINED', { agent: { id: 'op', name: 'Marek' } });
    session.emit('EVENT_TYPE_LIVE_AGENT_MESSAGE', { message_id: 'l', text: 'Hi', agent_id: 'op' });
    await until(() => one.lines().at(-1) === 'live_agent: Hi');
    expect(one.chat.queue.value).toBeNull();
    expect(one.chat.speaker.value).toMatchObject({ kind: 'live_agent', name: 'Marek' });
    expect(one.lines().slice(2)).toEqual([
      '* handoff_started',
      '* agent_left',
      '* handoff_accepted',
      '* live_agent_joined',
      'live_agent: Hi',
    ]);
  });

  it('gives plain snapshots to whoever subscribes, until they stop', async () => {
    const one = harness();
    const counts: number[] = [];
    const stop = one.chat.subscribe(({ messages }) => counts.push(messages.length));
    await one.chat.start();
    await until(() => counts.at(-1) === 2);
    stop();
    one.chat.send('unheard');
    expect(counts.at(-1)).toBe(2);
  });

  it('lets a subscriber answer without mixing up the order', async () => {
    const one = harness();
    let hasAnswered = false;
    one.chat.subscribe(({ messages }) => {
      if (messages.length < 2 || hasAnswered) return;
      hasAnswered = true;
      one.chat.send('first');
      one.chat.send('second');
    });
    await one.chat.start();
    await until(() => one.platform.sessions.length > 0 && one.platform.session.userTexts.length === 2);
    expect(one.platform.session.userTexts).toEqual(['first', 'second']);
  });
});

describe('a lost connection', () => {
  it('comes back to the same session with its cursor and catches up', async () => {
    const one = await greeted();
    const { session } = one.platform;
    session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    session.say('While you were away');
    one.clock.advance(1_000);
    await until(() => one.lines().at(-1) === 'agent: While you were away');
    expect(one.platform.sessions).toHaveLength(1);
    expect(one.platform.handshakes.map(({ cursor }) => cursor)).toEqual([null, '4']);
    expect(sentTypes(one).filter((type) => type === 'REQUEST_AGENT_JOIN')).toHaveLength(1);
  });

  it('is worth a word only after half a second', async () => {
    const one = await greeted();
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(499);
    expect(one.chat.hasLostConnection.value).toBe(false);
    one.clock.advance(1);
    expect(one.chat.hasLostConnection.value).toBe(true);
    one.clock.advance(500);
    await until(() => isOpen(one));
    expect(one.chat.hasLostConnection.value).toBe(false);
  });

  it('reads the replay before it sends anything again, and finds its message there', async () => {
    const one = await greeted({ echoes: false });
    one.chat.send('Did you get this?');
    await until(() => one.platform.session.userTexts.length === 1);
    one.platform.options = { ...one.platform.options, echoes: true };
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(1_000);
    await until(() => one.lines().at(-1) === 'user: Did you get this?');
    expect(sentTypes(one).filter((type) => type === 'USER_MESSAGE')).toHaveLength(1);
  });

  it('sends again under the same name what the platform never stored', async () => {
    const one = await greeted({ hears: true });
    const heard = one.platform.options;
    one.platform.options = { ...heard, hears: false };
    one.chat.send('Into the void');
    await settle();
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.platform.options = heard;
    one.clock.advance(1_000);
    await until(() => one.lines().at(-1) === 'user: Into the void');
    expect(one.platform.session.userTexts).toEqual(['Into the void']);
  });

  it('drops its socket the moment the device goes offline, queues, and sends when it is back', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    expect(one.chat.connection.value).toMatchObject({ status: 'reconnecting', offline: true });
    one.chat.send('From the tunnel');
    expect(one.lines().at(-1)).toBe('user: From the tunnel (queued)');
    one.clock.advance(60_000);
    await settle();
    expect(one.platform.handshakes).toHaveLength(1);
    one.device.setOnline(true);
    await until(() => one.lines().at(-1) === 'user: From the tunnel');
    expect(one.platform.session.userTexts).toEqual(['From the tunnel']);
  });

  it('finds a network that came back without an event', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    one.device.setOnlineSilently(true);
    one.clock.advance(3_000);
    await until(() => isOpen(one));
  });

  it('comes back at once when the page is looked at again', async () => {
    const one = await greeted();
    one.platform.refusals = 2;
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.device.setVisible(true);
    await until(() => one.platform.handshakes.length === 2);
    await until(() => one.clock.nextDelayMs !== null);
    one.platform.refusals = 0;
    one.device.setVisible(true);
    await until(() => isOpen(one));
  });

  it('gives up when the budget of the platform is spent, until the visitor tries again', async () => {
    const one = await greeted({ capabilities: { max_reconnect_attempts: 2 } });
    one.platform.refusals = 99;
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    for (const [delayMs, tries] of [
      [1_000, 2],
      [2_000, 3],
    ] as const) {
      one.clock.advance(delayMs);
      await until(() => one.platform.handshakes.length === tries);
      await settle();
    }
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'reconnect_budget_spent' });
    one.platform.refusals = 0;
    one.chat.reconnect();
    await until(() => isOpen(one));
  });

  it('recycles a socket that has gone deaf', async () => {
    const one = await greeted({ capabilities: { heartbeat_interval_seconds: 10 } });
    one.clock.advance(10_000);
    await until(() => sentTypes(one).at(-1) === 'HEARTBEAT');
    await settle();
    one.clock.advance(5_000);
    expect(isOpen(one)).toBe(true);
    one.platform.options = { ...one.platform.options, echoes: false };
    one.clock.advance(5_000);
    await settle();
    one.clock.advance(14_999);
    expect(isOpen(one)).toBe(true);
    one.clock.advance(1);
    expect(one.chat.connection.value.status).toBe('reconnecting');
  });

  it('sends no heartbeat when the platform wants none', async () => {
    const one = await greeted({ capabilities: { heartbeat_interval_seconds: 0 } });
    one.clock.advance(300_000);
    await settle();
    expect(sentTypes(one)).not.toContain('HEARTBEAT');
  });

  it('recycles a socket after two hours and goes on where it was', async () => {
    const one = await greeted({ capabilities: { heartbeat_interval_seconds: 0 } }, { idleTimeoutMs: 0 });
    one.clock.advance(7_200_000);
    await until(() => one.platform.handshakes.length === 2 && isOpen(one));
    expect(one.platform.handshakes[1]).toMatchObject({ cursor: '4' });
  });
});

describe('a session that is no good', () => {
  it('is replaced after a 4001, and what was under way moves along', async () => {
    const one = await greeted();
    one.platform.options = { ...one.platform.options, echoes: false };
    one.chat.send('Take me along');
    await until(() => one.platform.session.userTexts.length === 1);
    one.platform.options = { ...one.platform.options, echoes: true };
    one.platform.session.isGone = true;
    for (const peer of [...one.platform.session.peers]) peer.close(4001);
    await until(() => one.platform.sessions.length === 2);
    await until(() => one.lines().at(-1) === 'user: Take me along');
    expect(one.lines()).toEqual(['* agent_joined', 'agent: Hello', 'user: Take me along']);
  });

  it('is replaced after three refused handshakes while the platform answers', async () => {
    const one = await greeted();
    one.platform.session.isGone = true;
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    for (const [delayMs, tries] of [
      [1_000, 2],
      [2_000, 3],
      [4_000, 4],
    ] as const) {
      one.clock.advance(delayMs);
      await until(() => one.platform.handshakes.length >= tries);
      await settle();
    }
    await until(() => one.platform.sessions.length === 2 && isOpen(one));
  });

  it('is not lost to an outage: while the platform is down its pair is kept', async () => {
    const one = await greeted();
    one.platform.refusals = 3;
    one.platform.isDown = true;
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    for (const [delayMs, tries] of [
      [1_000, 2],
      [2_000, 3],
      [4_000, 4],
    ] as const) {
      one.clock.advance(delayMs);
      await until(() => one.platform.handshakes.length >= tries);
      await settle();
    }
    one.clock.advance(8_000);
    await until(() => isOpen(one));
    expect(one.platform.sessions).toHaveLength(1);
    expect(one.platform.calls.map(({ path }) => path)).toEqual(['/v1/session', '/v1/health']);
  });

  it('is given up as expired after three in a row', async () => {
    const one = harness();
    await one.chat.start();
    await until(() => isOpen(one));
    const spoil = (): void => {
      for (const session of one.platform.sessions) session.isGone = true;
      one.platform.refusals = 99;
    };
    spoil();
    for (const peer of [...one.platform.session.peers]) peer.close(4001);
    await until(() => one.platform.sessions.length === 2);
    // Sessions 2, 3 and 4 never open: each gets two ordinary attempts, then the next session.
    for (let step = 0; step < 40 && one.chat.connection.value.status !== 'failed'; step++) {
      await settle();
      one.clock.advance(30_000);
    }
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'session_expired' });
    expect(one.platform.sessions).toHaveLength(4);
  });

  it('is replaced when the platform says it does not know it', async () => {
    const one = await greeted();
    one.platform.session.refuse('Error: Session not found');
    await until(() => one.platform.sessions.length === 2 && isOpen(one));
  });
});

describe('auto-recovery', () => {
  it('asks the agent in again after 2 s and sends the waiting message then', async () => {
    const one = await greeted();
    const { session } = one.platform;
    one.platform.options = { ...one.platform.options, echoes: false };
    one.chat.send('Still there?');
    await until(() => session.received.at(-1)?.type === 'EVENT_TYPE_USER_MESSAGE');
    const custom = session.received.at(-1)?.custom ?? null;
    // The platform lost the conversation: it refuses the message, without having stored it.
    session.log.splice(
      session.log.findIndex(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE'),
      1,
    );
    one.platform.options = { ...one.platform.options, echoes: true, isIdempotent: false };
    session.refuse('Error: Conversation not found', custom);
    await settle();
    expect(one.lines().at(-1)).toBe('user: Still there? (pending)');
    one.clock.advance(1_999);
    await settle();
    expect(sentTypes(one).filter((type) => type === 'REQUEST_AGENT_JOIN')).toHaveLength(1);
    one.clock.advance(1);
    await until(() => one.lines().includes('user: Still there?'));
    expect(sentTypes(one).filter((type) => type === 'REQUEST_AGENT_JOIN')).toHaveLength(2);
  });

  it('stops after three tries, and refuses what was waiting', async () => {
    const one = harness({ joins: false });
    await one.chat.start();
    await until(() => isOpen(one) && sentTypes(one).length === 1);
    const joins = (): number => sentTypes(one).filter((type) => type === 'REQUEST_AGENT_JOIN').length;
    for (const [delayMs, count] of [
      [2_000, 2],
      [4_000, 3],
      [8_000, 4],
    ] as const) {
      one.platform.session.refuse(
        "Sorry, I'm unable to start a conversation right now. Please try again later.",
      );
      await settle();
      one.clock.advance(delayMs);
      await until(() => joins() === count);
    }
    one.platform.session.refuse(
      "Sorry, I'm unable to start a conversation right now. Please try again later.",
    );
    await settle();
    one.clock.advance(60_000);
    await settle();
    expect(joins()).toBe(4);
    expect(one.lines()).toEqual(['* platform_message']);
  });
});

describe('ending', () => {
  it('says goodbye, waits for the platform, and forgets the pair', async () => {
    const one = await greeted();
    one.chat.send('Bye');
    await until(() => one.storage.values.size === 1 && one.lines().at(-1) === 'user: Bye');
    await one.chat.endChat();
    expect(one.chat.session.value).toEqual({ status: 'ended', by: 'user' });
    await until(() => one.storage.values.size === 0 && one.chat.connection.value.status === 'closed');
    expect(one.platform.session.isEnded).toBe(true);
  });

  it('ends here after 2 s when the platform says nothing', async () => {
    const one = await greeted();
    one.platform.session.isEnded = true;
    let isEnded = false;
    void one.chat.endChat().then(() => {
      isEnded = true;
    });
    one.clock.advance(1_999);
    await settle();
    expect(isEnded).toBe(false);
    one.clock.advance(1);
    await until(() => isEnded && one.chat.connection.value.status === 'closed');
  });

  it('starts another conversation with nothing of the last', async () => {
    const one = await greeted();
    one.chat.send('Old');
    await until(() => one.lines().at(-1) === 'user: Old');
    await one.chat.newChat();
    await until(() => one.platform.sessions.length === 2 && one.lines().includes('agent: Hello'));
    expect(one.lines()).toEqual(['* agent_joined', 'agent: Hello']);
    expect(one.chat.session.value).toEqual({ status: 'active' });
  });

  it('ends the session here after ten minutes without activity; heartbeats are none', async () => {
    const one = await greeted();
    for (let beat = 0; beat < 20; beat++) {
      one.clock.advance(30_000);
      await settle();
    }
    expect(isOpen(one)).toBe(true);
    one.clock.advance(30_000);
    await until(() => one.chat.session.value.status === 'expired');
    await until(() => one.chat.connection.value.status === 'closed');
  });

  it('leaves no timer, socket or listener behind', async () => {
    const one = await greeted();
    one.chat.notifyTyping();
    one.chat.send('x');
    one.chat.destroy();
    expect(one.clock.pending).toBe(0);
    expect(one.device.listeners.size).toBe(0);
    expect(one.platform.session.peers.size).toBe(0);
    const lines = one.lines();
    one.platform.session.say('Nobody hears');
    await settle();
    expect(one.lines()).toEqual(lines);
  });

  it('can be destroyed at any moment of a start', async () => {
    for (let turns = 0; turns < 12; turns++) {
      const one = harness();
      void one.chat.start();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      one.chat.destroy();
      await settle();
      expect(one.clock.pending).toBe(0);
      expect(one.platform.sessions.every(({ peers }) => peers.size === 0)).toBe(true);
    }
  });
});

describe('typing', () => {
  it('is told at most every 3 s, and stops 5 s after the last stroke', async () => {
    const one = await greeted();
    const states = (): unknown[] =>
      one.platform.session.received
        .filter(({ type }) => type === 'EVENT_TYPE_USER_TYPING')
        .map(({ payload }) => ('state' in payload ? payload.state.replace('TYPING_STATE_', '') : null));
    for (let stroke = 0; stroke < 7; stroke++) {
      one.chat.notifyTyping();
      one.clock.advance(500);
    }
    await settle();
    expect(states()).toEqual(['STARTED', 'STARTED']);
    one.clock.advance(4_500);
    await settle();
    expect(states()).toEqual(['STARTED', 'STARTED', 'STOPPED']);
    one.chat.notifyTyping();
    await settle();
    expect(states().at(-1)).toBe('STARTED');
  });

  it('is not told without a socket', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    one.chat.notifyTyping();
    one.device.setOnline(true);
    await until(() => isOpen(one));
    await settle();
    expect(sentTypes(one)).not.toContain('USER_TYPING');
  });
});

describe('a reload', () => {
  it('resumes the conversation and reads it in full from the log', async () => {
    const one = await greeted({ onUserMessage: (session) => session.say('Noted') });
    one.chat.send('Remember me');
    await until(() => one.lines().at(-1) === 'agent: Noted' && one.storage.values.size === 1);
    await settle();
    const next = reload(one);
    expect(await next.chat.hasStoredConversation()).toBe(true);
    await next.chat.start();
    expect(next.chat.session.value).toEqual({ status: 'restored' });
    await until(() => next.lines().length === 4);
    expect(next.lines()).toEqual(['* agent_joined', 'agent: Hello', 'user: Remember me', 'agent: Noted']);
    expect(one.platform.sessions).toHaveLength(1);
    expect(one.platform.handshakes.at(-1)?.cursor).toBeNull();
    expect(next.chat.unread.value).toBe(0);
    one.platform.session.say('New');
    await until(() => next.chat.unread.value === 1);
  });

  it('sends what was written and not delivered, once', async () => {
    const one = await greeted();
    one.chat.send('First');
    await until(() => one.lines().at(-1) === 'user: First');
    one.device.setOnline(false);
    one.chat.send('Written offline');
    await until(() => JSON.stringify([...one.storage.values]).includes('Written offline'));
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().at(-1) === 'user: Written offline');
    expect(one.platform.session.userTexts).toEqual(['First', 'Written offline']);
  });

  it('starts anew when the ticket is refused, and shows undelivered words as not sent', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    one.chat.send('Undelivered');
    await until(() => one.storage.values.size === 1);
    one.platform.faults.push({ status: 410, code: 'RESUME_TICKET_INVALID' });
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().includes('agent: Hello'));
    expect(next.lines().at(-1)).toBe('user: Undelivered (failed)');
    expect(one.platform.sessions).toHaveLength(2);
    expect(one.platform.session.userTexts).toEqual([]);
    const entry = next.chat.messages.value.at(-1)?.value;
    if (entry?.kind !== 'user' || entry.localId === null) throw new Error('The draft is missing.');
    next.chat.retry(entry.localId);
    await until(() => next.lines().at(-1) === 'user: Undelivered');
  });

  it('does not resume after ten minutes', async () => {
    const one = await greeted();
    one.chat.send('x');
    await until(() => one.storage.values.size === 1);
    one.chat.destroy();
    one.clock.advance(600_000);
    const next = reload(one);
    expect(await next.chat.hasStoredConversation()).toBe(false);
    await next.chat.start();
    await until(() => isOpen(next));
    expect(one.platform.sessions).toHaveLength(2);
  });

  it('keeps the conversation through a proxy that fails for a while', async () => {
    const one = await greeted();
    one.chat.send('x');
    await until(() => one.lines().at(-1) === 'user: x' && one.storage.values.size === 1);
    one.platform.faults.push('unreachable', { status: 503 }, { status: 500, text: '<html>' });
    const next = reload(one);
    await next.chat.start();
    for (const [delayMs, calls] of [
      [1_000, 3],
      [2_000, 4],
      [4_000, 5],
    ] as const) {
      await until(() => one.platform.calls.length === calls - 1);
      await settle();
      next.clock.advance(delayMs);
    }
    await until(() => next.lines().at(-1) === 'user: x');
    expect(one.platform.sessions).toHaveLength(1);
  });
});

describe('privacy', () => {
  it('writes nothing before the visitor has sent something', async () => {
    const one = await greeted();
    one.platform.session.say('Anybody there?');
    one.chat.notifyTyping();
    one.chat.markRead();
    await settle();
    expect(one.storage.writes).toBe(0);
    one.chat.send('Yes');
    await until(() => one.storage.writes > 0);
  });

  it('keeps the token out of storage, traces, snapshots and errors', async () => {
    const traces: string[] = [];
    const one = await greeted({}, { onFrame: ({ text }) => traces.push(text) });
    const snapshots: string[] = [];
    one.chat.subscribe((snapshot) => snapshots.push(JSON.stringify(snapshot)));
    one.chat.send('x');
    await until(() => one.storage.values.size === 1 && one.lines().at(-1) === 'user: x');
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(1_000);
    await until(() => isOpen(one));
    const { token } = one.platform.session;
    const seen = JSON.stringify([...one.storage.values, traces, snapshots]);
    expect(traces.length).toBeGreaterThan(5);
    expect(snapshots.length).toBeGreaterThan(0);
    expect(seen).not.toContain(token);
    expect(seen).not.toContain('access_token');
    expect(Object.keys([...one.storage.values.values()][0] ?? {}).toSorted()).toEqual([
      'drafts',
      'lastActivityMs',
      'resumeTicket',
      'sessionId',
    ]);
  });

  it('works with storage that always throws', async () => {
    const deny = (): Promise<never> => Promise.reject(new DOMException('denied', 'SecurityError'));
    const base = harness();
    const ports = { ...base.ports, storage: { get: deny, set: deny, delete: deny } };
    const one = harness({}, { ports }, { platform: base.platform, clock: base.clock });
    await one.chat.start();
    await until(() => isOpen(one));
    one.chat.send('Hello?');
    await until(() => one.lines().at(-1) === 'user: Hello?');
    await one.chat.endChat();
  });
});

describe('the poly vocabulary', () => {
  it('is written on the wire and never sends a message twice', async () => {
    const traces: string[] = [];
    const one = await greeted(
      { vocabulary: 'poly', isIdempotent: false },
      { vocabulary: 'poly', onFrame: ({ direction, text }) => direction === 'out' && traces.push(text) },
    );
    expect(traces[0]).toContain('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN');
    one.platform.options = { ...one.platform.options, echoes: false };
    one.chat.send('Once');
    await until(() => one.platform.session.userTexts.length === 1);
    one.clock.advance(10_000);
    expect(one.lines().at(-1)).toBe('user: Once (failed)');
    one.clock.advance(5_000);
    await settle();
    expect(one.platform.session.userTexts).toEqual(['Once']);
  });
});

describe('set-up that fails', () => {
  it.each([
    [{ status: 502, code: 'CONNECTOR_REJECTED' }, 'connector_rejected'],
    [{ status: 403, code: 'ORIGIN_NOT_ALLOWED' }, 'origin_not_allowed'],
    [{ status: 404, code: 'NOT_FOUND' }, 'service_unavailable'],
  ] as const)('is final for %o', async (fault, reason) => {
    const one = harness();
    one.platform.faults.push(fault);
    await one.chat.start();
    await until(() => one.chat.connection.value.status === 'failed');
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason });
    one.clock.advance(120_000);
    await settle();
    expect(one.platform.calls).toHaveLength(1);
  });

  it('is tried four times while it may pass, and waits as long as the proxy asks', async () => {
    const one = harness();
    one.platform.faults.push(
      { status: 429, code: 'RATE_LIMITED', retryAfter: '7' },
      'unreachable',
      { status: 503 },
      { status: 503 },
    );
    await one.chat.start();
    for (const [delayMs, calls] of [
      [7_000, 1],
      [2_000, 2],
      [4_000, 3],
    ] as const) {
      await until(() => one.platform.calls.length === calls);
      await settle();
      one.clock.advance(delayMs - 1);
      await settle();
      expect(one.platform.calls).toHaveLength(calls);
      one.clock.advance(1);
    }
    await until(() => one.chat.connection.value.status === 'failed');
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'service_unavailable' });
    one.chat.reconnect();
    await until(() => isOpen(one));
  });

  it('waits for the network when there is none at the start', async () => {
    const one = harness();
    one.device.setOnline(false);
    await one.chat.start();
    expect(one.chat.connection.value).toEqual({ status: 'connecting' });
    expect(one.platform.calls).toEqual([]);
    one.device.setOnline(true);
    await until(() => isOpen(one));
  });

  it('refuses addresses that are not encrypted, and plain ones elsewhere than on this machine', () => {
    expect(() => harness({}, { endpoint: 'http://chat.test' })).toThrow(TypeError);
    expect(() => harness({}, { endpoint: 'http://chat.test', allowInsecure: true })).toThrow(TypeError);
    expect(() => harness({}, { endpoint: 'http://localhost:8080' })).toThrow(TypeError);
    expect(() => harness({}, { endpoint: 'http://localhost:8080', allowInsecure: true })).not.toThrow();
  });

  it('does not open a plain socket that the proxy hands out', async () => {
    const one = harness({ websocketUrl: 'ws://elsewhere.test/ws' });
    await one.chat.start();
    await until(() => one.chat.connection.value.status === 'failed');
    expect(one.platform.handshakes).toEqual([]);
  });
});
