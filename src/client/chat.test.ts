import { effect, Signal } from '@preact/signals-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOpen, sentTypes, settle, trackHarnesses, until } from '../../test/chat-harness.ts';

const { harness, greeted, reload, keep } = trackHarnesses(afterEach);

describe('a conversation', () => {
  it('reports neither connection nor session before it starts', () => {
    const { messages, ...state } = harness().chat;
    const claims = Object.entries(state).flatMap(([name, it]) =>
      it instanceof Signal ? [[name, it.value]] : [],
    );
    expect(messages.value).toEqual([]);
    expect(Object.fromEntries(claims)).toStrictEqual({
      connection: { status: 'idle' },
      session: { status: 'unknown' },
      hasLostConnection: false,
      speaker: null,
      typing: null,
      queue: null,
      canCancelHandoff: false,
      canStopAnswer: false,
      canGiveFeedback: false,
      canRequestContact: false,
      survey: null,
      suggestions: [],
      unread: 0,
      language: null,
      unsent: '',
    });
  });

  it('starts, is greeted, sends a question and receives the answer', async () => {
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

  it('names its connector in every call', async () => {
    const one = await greeted({ capabilities: { heartbeat_interval_seconds: 0 } }, { connector: 'sales' });
    one.chat.send('hi');
    await until(() => one.lines().at(-1) === 'user: hi');
    one.clock.advance(240_000);
    await settle();
    await one.chat.logout();
    expect(one.platform.calls.map(({ path, body }) => [path, Object(body).connector])).toEqual([
      ['/v1/session', 'sales'],
      ['/v1/resume', 'sales'],
      ['/v1/logout', 'sales'],
    ]);
  });

  it('sends messages from before the socket opened once', async () => {
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
    expect(() => one.chat.send(42 as unknown as string)).toThrow('send takes a text');
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

  it('sends a message of any length if the platform names no limit', async () => {
    const one = await greeted({ capabilities: { max_message_size_bytes: 0 } });
    one.chat.send('x'.repeat(100_000));
    await until(() => one.platform.session.userTexts.length === 1);
    expect(one.platform.session.userTexts[0]).toHaveLength(100_000);
  });

  it('updates one entry when a chunk arrives', async () => {
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

  it('shows suggestions of the latest message until the visitor sends one', async () => {
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

  it('shows the typing indicator for at most ten seconds', async () => {
    const one = await greeted();
    one.platform.session.emit('EVENT_TYPE_AGENT_THINKING', {}, { isTransient: true });
    await until(() => one.chat.typing.value?.speaker.name === 'Ada');
    one.clock.advance(9_999);
    expect(one.chat.typing.value).not.toBeNull();
    one.clock.advance(1);
    expect(one.chat.typing.value).toBeNull();
  });

  it('distinguishes a human from the automated agent through a handoff', async () => {
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

  it('shows an inspector every frame, omissions from it, and the connection', async () => {
    const traces: string[] = [];
    const one = await greeted(
      {},
      {
        onFrame: ({ direction, text }) => traces.push(`${direction} ${/EVENT_TYPE_\w+/.exec(text) ?? text}`),
      },
    );
    for (const peer of one.platform.session.peers) peer.send('junk');
    await until(() => traces.includes('in junk'));
    expect(traces.slice(0, 9)).toEqual([
      'local connection connecting',
      'local connection open',
      'in EVENT_TYPE_EVENT_BATCH',
      'out EVENT_TYPE_REQUEST_AGENT_JOIN',
      'in EVENT_TYPE_REQUEST_AGENT_JOIN',
      'in EVENT_TYPE_AGENT_JOINED',
      'in EVENT_TYPE_AGENT_MESSAGE',
      'in junk',
      'local left out: invalid_json',
    ]);
    expect(traces.filter((trace) => trace.startsWith('local left out'))).toHaveLength(1);
  });

  it('gives plain snapshots to subscribers until they stop', async () => {
    const one = harness();
    const counts: number[] = [];
    const stop = one.chat.subscribe(({ messages }) => counts.push(messages.length));
    await one.chat.start();
    await until(() => counts.at(-1) === 2);
    stop();
    one.chat.send('unheard');
    expect(counts.at(-1)).toBe(2);
  });

  it('notifies a subscriber only of visible changes, and never after the client is destroyed', async () => {
    const one = await greeted();
    let calls = 0;
    one.chat.subscribe(() => {
      calls += 1;
    });
    one.chat.setUnsent('half a');
    one.chat.setUnsent('half a');
    expect(one.chat.unsent.value).toBe('half a');
    expect(calls).toBe(1);
    one.chat.send('whole');
    expect(calls).toBe(2);
    one.chat.destroy();
    one.chat.send('too late');
    expect(calls).toBe(2);
  });

  it('continues when a reader of its signals throws, and reports the error to the page', async () => {
    const told: unknown[] = [];
    const later = queueMicrotask;
    vi.stubGlobal('queueMicrotask', (task: () => void) =>
      later(() => {
        try {
          task();
        } catch (error) {
          told.push(error);
        }
      }),
    );
    const one = harness();
    const stop = effect(() => {
      if (one.chat.connection.value.status === 'connecting') throw new Error('of the page');
    });
    await one.chat.start();
    await until(() => one.lines().includes('agent: Hello'));
    one.chat.send('Still there?');
    await until(() => one.lines().includes('user: Still there?'));
    stop();
    vi.unstubAllGlobals();
    expect(told.map(String)).toEqual(['Error: of the page']);
  });

  it('lets a subscriber send a message without changing the order', async () => {
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

describe('messages and the agent', () => {
  it('holds messages until an agent has joined, and sends them without one after 15 s', async () => {
    const one = harness({ joins: false });
    one.chat.send('Anybody?');
    await one.chat.start();
    await until(() => isOpen(one) && sentTypes(one).length === 1);
    one.clock.advance(14_999);
    await settle();
    expect(one.platform.session.userTexts).toEqual([]);
    one.clock.advance(1);
    await until(() => one.lines().at(-1) === 'user: Anybody?');
  });

  it('waits for an agent 15 s from when the history was read, whenever messages were written', async () => {
    const one = harness({ joins: false });
    await one.chat.start();
    await until(() => sentTypes(one).includes('REQUEST_AGENT_JOIN'));
    one.clock.advance(6_000);
    one.chat.send('Anybody?');
    one.clock.advance(8_999);
    await settle();
    expect(sentTypes(one)).not.toContain('USER_MESSAGE');
    one.clock.advance(1);
    await until(() => one.lines().at(-1) === 'user: Anybody?');
  });

  it('fails messages named by an error, which can then be retried or discarded', async () => {
    const one = await greeted({ echoes: false });
    const refuse = async (message: string): Promise<string> => {
      await until(() => one.platform.session.received.at(-1)?.type === 'EVENT_TYPE_USER_MESSAGE');
      one.platform.session.refuse(message, one.platform.session.received.at(-1)?.custom ?? null);
      await until(() => one.lines().some((line) => line.endsWith('(failed)')));
      const item = one.chat.messages.value.map((entry) => entry.value).find(({ kind }) => kind === 'user');
      if (item?.kind !== 'user' || item.localId === null) throw new Error('The draft is missing.');
      expect(item.delivery).toMatchObject({ status: 'failed', reason: 'refused' });
      return item.localId;
    };
    one.chat.send('Hm');
    const failed = await refuse("Sorry, I'm having trouble responding right now. Please try again.");
    one.platform.session.received.length = 0;
    one.chat.retry(failed);
    expect(one.lines().filter((line) => line.startsWith('user'))).toEqual(['user: Hm (pending)']);
    const again = await refuse('Sorry, I encountered an error. Please try again.');
    expect(again).not.toBe(failed);
    one.chat.discard(again);
    expect(one.lines().filter((line) => line.startsWith('user'))).toEqual([]);
  });

  it('confirms a message by an echo from another tab under its own id, without a duplicate', async () => {
    const one = await greeted();
    const other = one.reload();
    keep(other);
    one.chat.send('From the first tab');
    await until(() => one.lines().at(-1) === 'user: From the first tab' && one.storage.values.size === 1);
    await settle();
    await other.chat.start();
    await until(() => other.lines().at(-1) === 'user: From the first tab');
    other.chat.send('From the second tab');
    await until(() => one.lines().at(-1) === 'user: From the second tab');
    expect(one.lines()).toEqual(other.lines());
    expect(one.platform.session.userTexts).toEqual(['From the first tab', 'From the second tab']);
  });
});

describe('ending', () => {
  it('sends the end, waits for the platform, and drops the credentials', async () => {
    const one = await greeted();
    one.chat.send('Bye');
    await until(() => one.storage.values.size === 1 && one.lines().at(-1) === 'user: Bye');
    await one.chat.endChat();
    expect(one.chat.session.value).toEqual({ status: 'ended', by: 'user' });
    await until(() => one.storage.values.size === 0 && one.chat.connection.value.status === 'closed');
    expect(one.platform.session.isEnded).toBe(true);
    one.clock.advance(2_000);
    await settle();
    expect(one.clock.pending, 'timers of a chat that is over').toBe(0);
  });

  it('ends a conversation after 2 s without a response from the platform', async () => {
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
    // A polite live region also announces pending messages.
    expect(one.chat.connection.value).toEqual({ status: 'closing' });
    await until(() => isEnded && one.chat.connection.value.status === 'closed');
  });

  it('starts another conversation without anything of the last', async () => {
    const one = await greeted();
    one.chat.send('Old');
    await until(() => one.lines().at(-1) === 'user: Old');
    await one.chat.newChat();
    await until(() => one.platform.sessions.length === 2 && one.lines().includes('agent: Hello'));
    expect(one.lines()).toEqual(['* agent_joined', 'agent: Hello']);
    expect(one.chat.session.value).toEqual({ status: 'active' });
  });

  it('ends nothing before a start, and starts the next chat normally', async () => {
    const one = harness();
    await one.chat.endChat();
    expect(one.chat.session.value).toEqual({ status: 'unknown' });
    expect(one.platform.calls).toEqual([]);
    await one.chat.start();
    await until(() => one.lines().includes('agent: Hello'));
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('starts exactly one chat when a new one is requested before the first', async () => {
    const one = harness();
    await one.chat.newChat();
    await until(() => one.lines().includes('agent: Hello'));
    await one.chat.start();
    await settle();
    expect(one.platform.sessions).toHaveLength(1);
    expect(one.platform.calls.filter(({ path }) => path === '/v1/session')).toHaveLength(1);
  });

  it.each(['endChat', 'newChat'] as const)(
    "%s ends an earlier page's conversation, started or not",
    async (name) => {
      const one = await greeted();
      one.chat.send('Kept');
      await until(() => one.lines().at(-1) === 'user: Kept' && one.storage.values.size === 1);
      const next = reload(one);
      await next.chat[name]();
      expect(one.platform.calls.filter(({ path }) => path === '/v1/logout')).toHaveLength(1);
      if (name === 'newChat') await until(() => next.lines().includes('agent: Hello'));
      else expect(next.chat.session.value).toEqual({ status: 'ended', by: 'user' });
      await until(() => next.storage.values.size === 0);
      expect(next.lines()).not.toContain('user: Kept');
    },
  );

  it('ends a session after ten minutes without activity, which heartbeats are not', async () => {
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

  it('ends the session when a page becomes visible after ten minutes asleep', async () => {
    const one = await greeted({ capabilities: { heartbeat_interval_seconds: 0 } });
    one.device.setVisible(false);
    one.clock.advance(600_001);
    expect(one.chat.session.value).toEqual({ status: 'active' });
    one.device.setVisible(true);
    expect(one.chat.session.value).toEqual({ status: 'expired' });
  });

  it('shows an end by the platform when it closes with 1000 without an event', async () => {
    const one = await greeted();
    one.chat.send('Hello?');
    await until(() => one.lines().at(-1) === 'user: Hello?');
    for (const peer of [...one.platform.session.peers]) peer.close(1000);
    await until(() => one.chat.session.value.status === 'ended');
    expect(one.chat.session.value).toEqual({ status: 'ended', by: 'platform' });
    await until(() => one.storage.values.size === 0);
  });

  it('leaves no timer, socket or listener when destroyed', async () => {
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

  it('can be destroyed repeatedly', async () => {
    const told: string[] = [];
    const one = await greeted({}, { onFrame: ({ text }) => told.push(text) });
    one.chat.destroy();
    const { length } = told;
    one.chat.destroy();
    await settle();
    expect(told).toHaveLength(length);
  });

  it('accepts no message after it was destroyed', async () => {
    const one = await greeted();
    one.chat.destroy();
    expect(one.chat.send('Hello')).toEqual({ status: 'refused', reason: 'chat_ended' });
    await one.chat.newChat();
    expect(one.platform.sessions).toHaveLength(1);
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
  it('sends typing at most every 3 s, and its end 5 s after the last key stroke', async () => {
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

  it('sends no typing before an agent has joined', async () => {
    const one = harness({ joins: false });
    await one.chat.start();
    await until(() => sentTypes(one).includes('REQUEST_AGENT_JOIN'));
    one.chat.notifyTyping();
    await settle();
    expect(sentTypes(one)).toEqual(['REQUEST_AGENT_JOIN']);
  });

  it('sends no typing without a socket', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    one.chat.notifyTyping();
    one.device.setOnline(true);
    await until(() => isOpen(one));
    await settle();
    expect(sentTypes(one)).not.toContain('USER_TYPING');
  });
});
