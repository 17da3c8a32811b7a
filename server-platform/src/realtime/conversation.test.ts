import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { createDoor, echoScript } from '../../test/realtime/scripted-agent.ts';
import { isEndOfMessage, startTestPlatform, type TestPlatform } from '../../test/realtime/test-platform.ts';
import { type Frame, typesOf } from '../../test/realtime/test-socket.ts';
import { AgentError } from '../agents/index.ts';

const WHOLE = { streaming_enabled: false };

describe('a conversation', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
  });
  afterAll(() => platform.stop());
  beforeEach(() => {
    platform.agent.script = echoScript;
  });

  const sequenced = (frames: readonly Frame[]): readonly Frame[] =>
    frames.filter(({ sequence }) => sequence !== null);

  it('starts a conversation with the events of 8.1, and sends an immediately complete text as one chunk', async () => {
    const { socket } = await platform.converse();
    expect(typesOf(socket.events)).toEqual([
      'SESSION_START',
      'REQUEST_AGENT_JOIN',
      'AGENT_JOINED',
      'AGENT_THINKING',
      'AGENT_MESSAGE_CHUNK',
    ]);
    expect(typesOf(socket.frames)[0]).toBe('EVENT_BATCH');
    expect(socket.events[2]?.payload).toEqual({
      agent_name: 'Ada',
      agent_avatar_url: 'https://example.com/ada.png',
    });
    expect(socket.events.at(-1)?.payload).toMatchObject({
      text: 'Hello!',
      chunk_index: 1,
      is_complete: true,
    });
    await socket.close();
  });

  it('answers in whole messages when the client did not request streaming', async () => {
    const { socket } = await platform.converse(WHOLE);
    socket.send('USER_MESSAGE', { text: 'hi' }, { client_event_id: 'a', other: 'b' });
    await socket.next(isEndOfMessage);
    const [echo, thinking, message] = socket.events.slice(-3);
    expect(echo).toMatchObject({
      type: 'EVENT_TYPE_USER_MESSAGE',
      payload: { text: 'hi', message_id: expect.stringMatching(/^msg_.+/) },
      metadata: { custom: { client_event_id: 'a', other: 'b' } },
    });
    expect(thinking).toMatchObject({ type: 'EVENT_TYPE_AGENT_THINKING', sequence: null });
    expect(message).toMatchObject({
      type: 'EVENT_TYPE_AGENT_MESSAGE',
      payload: { text: 'You said: hi', agent_name: 'Ada', end_conversation: false },
    });
    expect(message).not.toHaveProperty('metadata');
    await socket.close();
  });

  it('numbers sequenced events from 1 without gaps, and gives every event an id and a time', async () => {
    const { socket } = await platform.converse();
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next(isEndOfMessage);
    expect(sequenced(socket.events).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(socket.events.map(({ id }) => id)).size).toBe(socket.events.length);
    for (const { id, timestamp } of socket.events) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    await socket.close();
  });

  it('streams an answer as ordered chunks that add up to the whole message', async () => {
    const { socket } = await platform.converse();
    platform.agent.script = async function* () {
      for (const text of ['One', ' two', ' three']) {
        yield { type: 'text', text };
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield { type: 'suggestions', suggestions: [{ message_text: 'More', payload: null }] };
    };
    socket.send('USER_MESSAGE', { text: 'count' });
    await socket.next(isEndOfMessage);
    const chunks = socket.events.filter(({ type }) => type.endsWith('CHUNK')).slice(1);
    expect(chunks.map(({ payload }) => payload['text']).join('')).toBe('One two three');
    expect(chunks.map(({ payload }) => payload['chunk_index'])).toEqual(chunks.map((_, index) => index + 1));
    expect(new Set(chunks.map(({ payload }) => payload['message_id'])).size).toBe(1);
    expect(chunks.map(({ payload }) => payload['is_complete'])).toEqual(
      chunks.map((_, i) => i === chunks.length - 1),
    );
    expect(chunks.at(-1)?.payload['response_suggestions']).toEqual([{ message_text: 'More' }]);
    await socket.close();
  });

  it('echoes messages at once and answers them one by one, in order of acceptance', async () => {
    const { socket } = await platform.converse(WHOLE);
    const door = createDoor();
    platform.agent.script = async function* (turn) {
      if (turn.text === 'first') await door.opened;
      yield { type: 'text', text: `re ${turn.text}` };
    };
    socket.send('USER_MESSAGE', { text: 'first' });
    socket.send('USER_MESSAGE', { text: 'second' });
    await socket.next('USER_MESSAGE');
    await socket.next('USER_MESSAGE');
    expect(socket.events.filter(isEndOfMessage)).toHaveLength(1);
    door.open();
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('re first');
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('re second');
    await socket.close();
  });

  it('gives the agent exactly the messages before its turn', async () => {
    const { socket } = await platform.converse();
    for (const text of ['one', 'two']) {
      socket.send('USER_MESSAGE', { text });
      await socket.next(isEndOfMessage);
    }
    const turn = platform.agent.turns.at(-1);
    expect(turn).toMatchObject({ kind: 'message', text: 'two', language: 'en' });
    expect(turn?.conversationId).toMatch(/^CONV-[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(turn?.history).toEqual([
      { author: 'agent', text: 'Hello!' },
      { author: 'user', text: 'one' },
      { author: 'agent', text: 'You said: one' },
    ]);
    await socket.close();
  });

  it('merges the state that the agent stores from turn to turn, key by key', async () => {
    const { socket } = await platform.converse();
    platform.agent.script = async function* (turn) {
      yield { type: 'state', set: turn.text === 'one' ? { a: 1, b: { c: 2 } } : { a: null } };
      yield { type: 'text', text: JSON.stringify(turn.state) };
    };
    for (const text of ['one', 'two', 'three']) socket.send('USER_MESSAGE', { text });
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push((await socket.next(isEndOfMessage)).payload['text']);
    expect(answers).toEqual(['{}', '{"a":1,"b":{"c":2}}', '{"b":{"c":2}}']);
    await socket.close();
  });

  it('answers a repeated message with its first echo, to the sender only', async () => {
    const { socket, ...session } = await platform.converse(WHOLE);
    const other = await platform.connect(session);
    socket.send('USER_MESSAGE', { text: 'hi' }, { local_id: 'draft-1' });
    const echo = await socket.next('USER_MESSAGE');
    await socket.next(isEndOfMessage);
    socket.send('USER_MESSAGE', { text: 'changed' }, { client_event_id: 'draft-1' });
    expect(await socket.next('USER_MESSAGE')).toEqual(echo);
    socket.send('USER_MESSAGE', { text: 'next' });
    await socket.next(isEndOfMessage);
    await other.next((frame) => frame.payload['text'] === 'You said: next');
    const texts = other.events
      .filter(({ type }) => type.endsWith('USER_MESSAGE'))
      .map(({ payload }) => payload['text']);
    expect(texts).toEqual(['hi', 'next']);
    await Promise.all([socket.close(), other.close()]);
  });

  it('accepts every message of a client that names its drafts with an empty text (MET-4)', async () => {
    const { socket } = await platform.converse(WHOLE);
    for (const text of ['first', 'second']) {
      socket.send('USER_MESSAGE', { text }, { client_event_id: '' });
      await socket.next(({ payload }) => payload['text'] === `You said: ${text}`);
    }
    await socket.close();
  });

  it('echoes a second join request but greets only once', async () => {
    const { socket } = await platform.converse();
    socket.send('REQUEST_AGENT_JOIN', {}, { again: 'yes' });
    const echo = await socket.next('REQUEST_AGENT_JOIN');
    expect(echo.metadata?.custom).toEqual({ again: 'yes' });
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next(isEndOfMessage);
    expect(typesOf(socket.events).filter((type) => type === 'AGENT_JOINED')).toHaveLength(1);
    await socket.close();
  });

  it('refuses a message before any join, to the sender only, and records nothing', async () => {
    const session = await platform.startSession();
    const socket = await platform.connect(session);
    socket.send('USER_MESSAGE', { text: 'hi' }, { local_id: 'a' });
    const answer = await socket.next('SYSTEM_MESSAGE');
    expect(answer).toMatchObject({
      sequence: null,
      payload: {
        level: 'SYSTEM_MESSAGE_LEVEL_ERROR',
        message: 'Error: Conversation ID not found in session',
      },
      metadata: { custom: { local_id: 'a' } },
    });
    // The earlier attempt was rejected, so the same draft is still free.
    socket.send('REQUEST_AGENT_JOIN');
    await socket.next(isEndOfMessage);
    socket.send('USER_MESSAGE', { text: 'hi' }, { local_id: 'a' });
    await socket.next('USER_MESSAGE');
    await socket.close();
  });

  it('announces a language once, before the first text in it', async () => {
    const { socket, ...session } = await platform.converse();
    platform.agent.script = async function* (turn) {
      yield { type: 'text', text: 'Of course. ' };
      yield { type: 'language', languageCode: 'fr' };
      yield { type: 'text', text: `Bonjour (${turn.language}).` };
    };
    for (const text of ['french', 'again']) {
      socket.send('USER_MESSAGE', { text });
      await socket.next(isEndOfMessage);
    }
    const answers = sequenced(socket.events).slice(4);
    expect(answers.map(({ type, payload }) => payload['text'] ?? payload['language_code'] ?? type)).toEqual([
      'french',
      'Of course. ',
      'fr',
      'Bonjour (en).',
      'again',
      'Of course. Bonjour (fr).',
    ]);
    const replay = await platform.connect(session);
    await replay.next('LANGUAGE_CHANGED');
    await Promise.all([socket.close(), replay.close()]);
  });

  it('continues when the agent sets a language that contains U+0000, which the database cannot store', async () => {
    const { socket } = await platform.converse(WHOLE);
    platform.agent.script = async function* () {
      yield { type: 'language', languageCode: 'fr\u0000' };
      yield { type: 'text', text: 'Bonjour' };
    };
    socket.send('USER_MESSAGE', { text: 'french' });
    await socket.next(({ payload }) => payload['text'] === 'Bonjour');
    await socket.close();
  });

  it.each([
    ['unavailable', "Sorry, I'm having trouble responding right now. Please try again."],
    ['overloaded', 'Our system is experiencing high load. Please try again in a moment.'],
    ['timeout', "Sorry, I'm having trouble responding right now. Please try again."],
  ] as const)('reports to the visitor that the agent is %s, and continues', async (code, text) => {
    const { socket } = await platform.converse(WHOLE);
    // biome-ignore lint/correctness/useYield: it fails before it says anything
    platform.agent.script = async function* () {
      throw new AgentError(code, 'down', { retryable: true });
    };
    socket.send('USER_MESSAGE', { text: 'hi' });
    const message = await socket.next('SYSTEM_MESSAGE');
    expect(message.payload).toEqual({ level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: text });
    expect(message.sequence).toBe(6);
    platform.agent.script = echoScript;
    socket.send('USER_MESSAGE', { text: 'again' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: again');
    await socket.close();
  });

  it('ends an interrupted stream with an error text and no final chunk', async () => {
    const { socket } = await platform.converse();
    const half = createDoor();
    platform.agent.script = async function* () {
      yield { type: 'text', text: 'Half of ' };
      await half.opened;
      throw new Error('cut');
    };
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next('AGENT_MESSAGE_CHUNK');
    half.open();
    const message = await socket.next('SYSTEM_MESSAGE');
    expect(message.payload['message']).toBe('Sorry, I encountered an error. Please try again.');
    expect(typesOf(sequenced(socket.events)).slice(4)).toEqual([
      'USER_MESSAGE',
      'AGENT_MESSAGE_CHUNK',
      'SYSTEM_MESSAGE',
    ]);
    expect(socket.events.at(-2)?.payload['is_complete']).toBe(false);
    await socket.close();
  });

  it('reports a conversation that cannot be started, keeps the socket open and accepts another join', async () => {
    const session = await platform.startSession();
    const socket = await platform.connect(session);
    // biome-ignore lint/correctness/useYield: it fails before it says anything
    platform.agent.script = async function* () {
      throw new AgentError('unavailable', 'down', { retryable: true });
    };
    socket.send('REQUEST_AGENT_JOIN');
    const message = await socket.next('SYSTEM_MESSAGE');
    expect(message.payload['message']).toBe(
      "Sorry, I'm unable to start a conversation right now. Please try again later.",
    );
    expect(typesOf(socket.events)).not.toContain('AGENT_JOINED');
    platform.agent.script = echoScript;
    socket.send('REQUEST_AGENT_JOIN');
    await socket.next('AGENT_JOINED');
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('Hello!');
    await socket.close();
  });

  it.each([WHOLE, { streaming_enabled: true }])(
    'ends the session when the agent says goodbye (%o)',
    async (body) => {
      const { socket } = await platform.converse(body);
      platform.agent.script = async function* () {
        yield { type: 'text', text: 'Goodbye.' };
        yield { type: 'end' };
      };
      socket.send('USER_MESSAGE', { text: 'bye' });
      const last = await socket.next(isEndOfMessage);
      expect(last.payload).toMatchObject({ text: 'Goodbye.', end_conversation: true });
      expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_NATURAL_END' });
      expect(await socket.closed).toMatchObject({ code: 1000 });
      expect(socket.events.at(-1)?.type).toBe('EVENT_TYPE_SESSION_END');
    },
  );

  it('ends the session when the user ends it, even during an answer, and sends nothing afterwards', async () => {
    const { socket, ...session } = await platform.converse();
    const tab = await platform.connect(session);
    const door = createDoor();
    platform.agent.script = async function* () {
      yield { type: 'text', text: 'Well, ' };
      await door.opened;
      yield { type: 'text', text: 'as I said' };
    };
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next('AGENT_MESSAGE_CHUNK');
    socket.send('USER_END_SESSION', {}, { local_id: 'end' });
    const echo = await socket.next('USER_END_SESSION');
    expect(echo.metadata?.custom).toEqual({ local_id: 'end' });
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_USER_END' });
    door.open();
    expect((await socket.closed).code).toBe(1000);
    expect((await tab.closed).code).toBe(1000);
    const log = await platform.log.readAfter(session.sessionId, 0, 100);
    expect(log.at(-1)?.type).toBe('EVENT_TYPE_SESSION_END');
    expect(tab.events.at(-1)?.type).toBe('EVENT_TYPE_SESSION_END');
  });

  it("uses the client's vocabulary, and stores it for the next connection", async () => {
    const session = await platform.startSession();
    const socket = await platform.connect(session);
    socket.send('REQUEST_POLY_AGENT_JOIN');
    await socket.next('POLY_AGENT_MESSAGE_CHUNK');
    expect(typesOf(socket.events)).toEqual([
      'SESSION_START',
      'REQUEST_POLY_AGENT_JOIN',
      'POLY_AGENT_JOINED',
      'POLY_AGENT_THINKING',
      'POLY_AGENT_MESSAGE_CHUNK',
    ]);
    const next = await platform.connect(session);
    await next.next('POLY_AGENT_MESSAGE_CHUNK');
    // A vocabulary that this connection names overrides the stored one.
    next.send('REQUEST_AGENT_JOIN');
    await next.next('REQUEST_AGENT_JOIN');
    const log = await platform.log.readAfter(session.sessionId, 0, 100);
    expect(log.map(({ type }) => type)).not.toContain('EVENT_TYPE_POLY_AGENT_JOINED');
    await Promise.all([socket.close(), next.close()]);
  });

  it('stores nothing for typing, and echoes heartbeats to their sender only', async () => {
    const { socket, ...session } = await platform.converse();
    const tab = await platform.connect(session);
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    socket.send('HEARTBEAT', {}, { n: '1' });
    const beat = await socket.next('HEARTBEAT');
    expect(beat).toMatchObject({ sequence: null, payload: {}, metadata: { custom: { n: '1' } } });
    socket.send('USER_MESSAGE', { text: 'hi' });
    await tab.next(isEndOfMessage);
    await tab.next(isEndOfMessage);
    expect(typesOf(tab.events)).not.toContain('HEARTBEAT');
    expect(typesOf(socket.events)).not.toContain('USER_TYPING');
    await Promise.all([socket.close(), tab.close()]);
  });

  it('reports a deleted session to its client, and keeps the socket open (12.1, SYS-3)', async () => {
    const { socket, sessionId } = await platform.converse();
    await platform.database.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
    socket.send('USER_MESSAGE', { text: 'Is anybody there?' }, { local_id: 'd' });
    expect(await socket.next('SYSTEM_MESSAGE')).toMatchObject({
      sequence: null,
      payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'Error: Session not found' },
      metadata: { custom: { local_id: 'd' } },
    });
    socket.send('HEARTBEAT');
    await socket.next('HEARTBEAT');
    await socket.close();
  });
});
