import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { echoScript } from '../../test/realtime/scripted-agent.ts';
import { isEndOfMessage, startTestPlatform, type TestPlatform } from '../../test/realtime/test-platform.ts';
import { type TestSocket, typesOf } from '../../test/realtime/test-socket.ts';

const NAMED = { natter_extensions: 'feedback' };

describe('feedback about an answer', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
  });
  afterAll(() => platform.stop());
  beforeEach(() => {
    platform.agent.script = echoScript;
  });

  /** Starts a conversation and waits until the agent has answered one question. */
  async function ask(custom: Readonly<Record<string, string>> = NAMED, isStreaming = true) {
    const session = await platform.startSession({ streaming_enabled: isStreaming });
    const socket = await platform.connect(session);
    socket.send('REQUEST_AGENT_JOIN', {}, custom);
    await socket.next(isEndOfMessage);
    socket.send('USER_MESSAGE', { text: 'hi' });
    const { payload } = await socket.next(isEndOfMessage);
    return { ...session, socket, message_id: String(payload['message_id']) };
  }

  const rate = async (socket: TestSocket, payload: object, name?: string) => {
    socket.send('X_FEEDBACK', { ...payload }, name === undefined ? {} : { client_event_id: name });
    return await socket.next('X_FEEDBACK');
  };

  /** Reads the feedback of all turns from the conversation record. */
  const readMetrics = async (sessionId: string): Promise<readonly unknown[]> => {
    const rows = await platform.database.query<{ metrics: Readonly<Record<string, string>> }>(
      `SELECT t.metrics FROM conversation_turns t JOIN sessions s ON s.conversation_id = t.conversation_id
        WHERE s.id = $1 ORDER BY t.ordinal`,
      [sessionId],
    );
    return rows.map(({ metrics }) => (metrics['FEEDBACK'] ? JSON.parse(metrics['FEEDBACK']) : null));
  };

  it("refuses feedback on an answer id with U+0000, but stores U+0000 in the visitor's own text", async () => {
    const { socket, sessionId } = await ask();
    socket.send('X_FEEDBACK', { message_id: 'msg_\u0000', rating: 'up' });
    await socket.next('SYSTEM_MESSAGE');
    socket.send('USER_MESSAGE', { text: '\u0000 hi' }, { page: '\u0000', '\u0000': 'x' });
    const { payload } = await socket.next(isEndOfMessage);
    await rate(socket, { message_id: payload['message_id'], rating: 'up' });
    expect((await readMetrics(sessionId)).at(-1)).toMatchObject({ rating: 'up' });
    expect(platform.failures).toEqual([]);
    await socket.close();
  });

  it.each([true, false])(
    'stores feedback on an answer, echoes it and keeps it with the turn; streaming: %j (EXT-3)',
    async (isStreaming) => {
      const { socket, sessionId, message_id } = await ask(NAMED, isStreaming);
      const reason = 'Not what I asked \u{1F6A2}\u0000';
      const echo = await rate(socket, { message_id, rating: 'down', reason }, 'f-1');
      expect(echo).toMatchObject({
        sequence: expect.any(Number),
        payload: { message_id, rating: 'down', reason },
        metadata: { custom: { client_event_id: 'f-1' } },
      });
      expect(await readMetrics(sessionId)).toEqual([null, { turn: 2, rating: 'down', reason }]);
      expect(platform.agent.turns.at(-1)?.text).toBe('hi');
    },
  );

  it('keeps the last rating of a message, and none after it was withdrawn', async () => {
    const { socket, sessionId, message_id } = await ask();
    await rate(socket, { message_id, rating: 'down', reason: 'Wrong' });
    await rate(socket, { message_id, rating: 'up' });
    expect(await readMetrics(sessionId)).toEqual([null, { turn: 2, rating: 'up', reason: null }]);
    await rate(socket, { message_id, rating: null });
    expect(await readMetrics(sessionId)).toEqual([null, null]);
  });

  it('stores feedback once, however often the client repeats it', async () => {
    const { socket, message_id } = await ask();
    const first = await rate(socket, { message_id, rating: 'up' }, 'f-1');
    const second = await rate(socket, { message_id, rating: 'up' }, 'f-1');
    expect(second.sequence).toBe(first.sequence);
  });

  it("replays feedback to the visitor's next page", async () => {
    const { message_id, socket, ...session } = await ask();
    await rate(socket, { message_id, rating: 'up' });
    const next = await platform.connect(session);
    expect((await next.next('X_FEEDBACK')).payload).toEqual({ message_id, rating: 'up', reason: null });
  });

  it('answers the next message undisturbed by feedback', async () => {
    const { socket, message_id } = await ask();
    await rate(socket, { message_id, rating: 'up' });
    socket.send('USER_MESSAGE', { text: 'thanks' });
    await socket.next(isEndOfMessage);
    expect(platform.agent.turns.at(-1)?.history.map(({ text }) => text)).not.toContain('up');
  });

  it('refuses and does not store feedback on anything but an answer of this session', async () => {
    const other = await ask();
    const { socket, sessionId } = await ask();
    for (const message_id of ['msg_unknown', other.message_id]) {
      socket.send('X_FEEDBACK', { message_id, rating: 'up' }, { client_event_id: 'f-1' });
      const refusal = await socket.next('SYSTEM_MESSAGE');
      expect(refusal).toMatchObject({
        payload: { message: 'Unknown event type or invalid message format' },
        metadata: { custom: { client_event_id: 'f-1' } },
      });
    }
    expect(await readMetrics(sessionId)).toEqual([null, null]);
    expect(typesOf(socket.events)).not.toContain('X_FEEDBACK');
  });

  it('refuses feedback from a client that did not name the extension (EXT-1)', async () => {
    const { socket, message_id } = await ask({});
    socket.send('X_FEEDBACK', { message_id, rating: 'up' });
    const refusal = await socket.next('SYSTEM_MESSAGE');
    expect(refusal.payload['message']).toBe('Event type not allowed: EVENT_TYPE_X_FEEDBACK');
  });

  it.each([
    {},
    { message_id: 'm', rating: 'best' },
    { message_id: 'm', rating: 'up', reason: 'x'.repeat(1_001) },
  ])('refuses %j', async (payload) => {
    const { socket } = await ask();
    socket.send('X_FEEDBACK', payload);
    const refusal = await socket.next('SYSTEM_MESSAGE');
    expect(refusal.payload['message']).toBe('Unknown event type or invalid message format');
  });
});
