import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { type AgentScript, echoScript } from '../../../test/realtime/scripted-agent.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import { type Frame, typesOf } from '../../../test/realtime/test-socket.ts';

const SURVEY_MS = 60_000;

const endScript: AgentScript = async function* (turn) {
  yield { type: 'text', text: turn.kind === 'greeting' ? 'Hello!' : 'Goodbye!' };
  if (turn.kind === 'message') yield { type: 'end' };
};

describe('the satisfaction survey', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { pingIntervalMs: 86_400_000 } });
  });
  afterAll(() => platform.stop());
  beforeEach(() => {
    platform.agent.script = echoScript;
    Object.assign(platform.connector, { hasSurvey: true, hasReceipts: false, surveyScale: 'faces' });
  });

  /** Starts a conversation in which the user has sent a message. */
  async function talk(custom?: Readonly<Record<string, string>>) {
    const session = await platform.startSession();
    const own = { ...session, socket: await platform.connect(session) };
    own.socket.send('REQUEST_AGENT_JOIN', {}, custom);
    await own.socket.next(isEndOfMessage);
    own.socket.send('USER_MESSAGE', { text: 'hi' });
    await own.socket.next(isEndOfMessage);
    return own;
  }
  const answer = (survey: Frame, more: object) => ({ survey_id: survey.payload['survey_id'], ...more });
  const readScores = async (sessionId: string): Promise<readonly unknown[]> => {
    const rows = await platform.database.query<{ score: unknown }>(
      `SELECT t.metrics::jsonb -> 'CSAT_SCORE' AS score
         FROM conversation_turns t JOIN sessions s ON s.conversation_id = t.conversation_id
        WHERE s.id = $1 ORDER BY t.ordinal`,
      [sessionId],
    );
    return rows.map(({ score }) => score);
  };

  it('shows the survey when the user ends the session, and ends it with the answer', async () => {
    const { socket, sessionId } = await talk();
    socket.send('USER_END_SESSION');
    const survey = await socket.next('SHOW_CSAT_REQUEST');
    expect(survey).toMatchObject({
      sequence: expect.any(Number),
      payload: {
        survey_id: expect.stringMatching(/^survey_.+/),
        title: 'Rate your chat',
        question: 'How would you rate your experience?',
        scale_min: 1,
        scale_max: 5,
      },
    });
    expect(typesOf(socket.events)).not.toContain('SESSION_END');
    socket.send('CSAT_RESPONSE', answer(survey, { score: 4, skipped: false }));
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_USER_END' });
    expect((await socket.closed).code).toBe(1000);
    expect(typesOf(socket.events).slice(-4)).toEqual([
      'USER_END_SESSION',
      'SHOW_CSAT_REQUEST',
      'CSAT_RESPONSE',
      'SESSION_END',
    ]);
    expect(await readScores(sessionId)).toEqual([null, 4]);
  });

  it('shows the survey after the last words of an agent that ends the conversation', async () => {
    platform.agent.script = endScript;
    const { socket, sessionId } = await talk();
    const survey = await socket.next('SHOW_CSAT_REQUEST');
    socket.send('CSAT_RESPONSE', answer(survey, { score: null, skipped: true }));
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_NATURAL_END' });
    expect(typesOf(socket.events).slice(-4)).toEqual([
      'AGENT_MESSAGE_CHUNK',
      'SHOW_CSAT_REQUEST',
      'CSAT_RESPONSE',
      'SESSION_END',
    ]);
    expect(await readScores(sessionId)).toEqual([null, 'skipped']);
  });

  it('stores the comment of a client that named the extension, and offers stars if the connector does (EXT-7)', async () => {
    const readComments = (sessionId: string) =>
      platform.database.query(
        `SELECT t.metrics::jsonb -> 'CSAT_COMMENT' AS comment
           FROM conversation_turns t JOIN sessions s ON s.conversation_id = t.conversation_id
          WHERE s.id = $1 ORDER BY t.ordinal DESC LIMIT 1`,
        [sessionId],
      );
    Object.assign(platform.connector, { surveyScale: 'stars' });
    for (const [join, kept] of [
      [{ natter_extensions: 'survey_comment' }, 'Too slow.'],
      [undefined, null],
    ] as const) {
      const { socket, sessionId } = await talk(join);
      socket.send('USER_END_SESSION');
      const survey = await socket.next('SHOW_CSAT_REQUEST');
      expect(survey.payload['scale']).toBe('stars');
      socket.send('CSAT_RESPONSE', answer(survey, { score: 2, skipped: false }), { comment: 'Too slow.' });
      await socket.next('SESSION_END');
      expect(await readComments(sessionId)).toEqual([{ comment: kept }]);
    }
  });

  it('ends the session 60 s after an unanswered survey', async () => {
    const { socket, sessionId } = await talk();
    socket.send('USER_END_SESSION');
    await socket.next('SHOW_CSAT_REQUEST');
    platform.clock.skip(SURVEY_MS);
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_USER_END' });
    expect(await readScores(sessionId)).toEqual([null, null]);
  });

  it('accepts nothing but a valid answer to the open survey', async () => {
    const { socket, sessionId } = await talk();
    const turns = platform.agent.turns.length;
    socket.send('USER_END_SESSION');
    const survey = await socket.next('SHOW_CSAT_REQUEST');
    socket.send('USER_MESSAGE', { text: 'one more thing' });
    socket.send('REQUEST_AGENT_JOIN');
    socket.send('CSAT_RESPONSE', { survey_id: 'another', score: 5, skipped: false });
    for (const payload of [
      { score: 0 },
      { score: 6 },
      { score: 2.5 },
      { score: '5' },
      {},
      { score: 5, skipped: true },
    ]) {
      socket.send('CSAT_RESPONSE', answer(survey, payload));
      const refusal = await socket.next('SYSTEM_MESSAGE');
      expect(refusal.payload['message']).toBe('Unknown event type or invalid message format');
    }
    // A second request to end the session ends it at once.
    socket.send('USER_END_SESSION');
    await socket.next('SESSION_END');
    expect(typesOf(socket.events)).not.toContain('CSAT_RESPONSE');
    expect(typesOf(socket.events).filter((type) => type === 'USER_MESSAGE')).toHaveLength(1);
    expect(platform.agent.turns).toHaveLength(turns);
    expect(await readScores(sessionId)).toEqual([null, null]);
  });

  it('replays the survey to a client that reconnects, which may still answer', async () => {
    const { socket, ...session } = await talk();
    socket.send('USER_END_SESSION');
    await socket.next('SHOW_CSAT_REQUEST');
    await socket.close();
    const again = await platform.connect(session);
    const survey = await again.next('SHOW_CSAT_REQUEST');
    again.send('CSAT_RESPONSE', answer(survey, { score: 1 }));
    await again.next('SESSION_END');
    expect(await readScores(session.sessionId)).toEqual([null, 1]);
  });

  it.each(['the user', 'the agent'])(
    'keeps the survey open for the next owner of the session (that %s ends)',
    async (who) => {
      if (who === 'the agent') platform.agent.script = endScript;
      const { socket, sessionId } = await talk();
      if (who === 'the user') socket.send('USER_END_SESSION');
      const survey = await socket.next('SHOW_CSAT_REQUEST');
      // Makes the state reload from the log, as on another node.
      platform.messaging.manager.get(sessionId)?.loseOwnership();
      socket.send('USER_MESSAGE', { text: 'one more thing' });
      socket.send('CSAT_RESPONSE', answer(survey, { score: 3 }));
      const reason = who === 'the user' ? 'REASON_USER_END' : 'REASON_NATURAL_END';
      expect((await socket.next('SESSION_END')).payload).toEqual({ reason });
      expect(typesOf(socket.events).filter((type) => type === 'USER_MESSAGE')).toHaveLength(1);
      expect(await readScores(sessionId)).toEqual([null, 3]);
    },
  );

  it('shows no survey after an empty conversation, to an absent user, or when disabled', async () => {
    const silent = await platform.converse();
    silent.socket.send('USER_END_SESSION');
    await silent.socket.next('SESSION_END');
    const gone = await talk();
    platform.clock.skip(600_000);
    await gone.socket.next('SESSION_END');
    Object.assign(platform.connector, { hasSurvey: false });
    const off = await talk();
    off.socket.send('CSAT_RESPONSE', { survey_id: 'x', score: 5 });
    expect((await off.socket.next('SYSTEM_MESSAGE')).payload['message']).toBe(
      'Event type not allowed: EVENT_TYPE_CSAT_RESPONSE',
    );
    off.socket.send('USER_END_SESSION');
    await off.socket.next('SESSION_END');
    for (const { socket } of [silent, gone, off])
      expect(typesOf(socket.events)).not.toContain('SHOW_CSAT_REQUEST');
  });

  it('accepts receipts without an echo if enabled, independently of the survey', async () => {
    const off = await talk();
    off.socket.send('USER_READ_MESSAGE', { message_id: 'm' });
    expect((await off.socket.next('SYSTEM_MESSAGE')).payload['message']).toBe(
      'Event type not allowed: EVENT_TYPE_USER_READ_MESSAGE',
    );
    Object.assign(platform.connector, { hasReceipts: true });
    const on = await talk();
    const before = on.socket.events.length;
    on.socket.send('USER_READ_MESSAGE', { message_id: 'm' });
    on.socket.send('USER_RECEIVED_MESSAGE', { message_id: 'm' });
    on.socket.send('HEARTBEAT');
    await on.socket.next('HEARTBEAT');
    expect(typesOf(on.socket.events.slice(before))).toEqual(['HEARTBEAT']);
    on.socket.send('USER_READ_MESSAGE', {});
    expect((await on.socket.next('SYSTEM_MESSAGE')).payload['message']).toBe(
      'Unknown event type or invalid message format',
    );
  });
});
