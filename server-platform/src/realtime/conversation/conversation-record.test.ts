import { afterEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { echoScript } from '../../../test/realtime/scripted-agent.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import type { Frame } from '../../../test/realtime/test-socket.ts';

describe('the record of a messaging conversation', () => {
  let platform: TestPlatform;
  afterEach(() => platform.stop());

  const conversations = (): Promise<readonly Record<string, unknown>[]> =>
    platform.database.query('SELECT * FROM conversations');
  const turns = (): Promise<readonly Record<string, unknown>[]> =>
    platform.database.query('SELECT * FROM conversation_turns ORDER BY ordinal');
  const saying =
    (text: string) =>
    (frame: Frame): boolean =>
      isEndOfMessage(frame) && frame.payload['text'] === text;

  it('records the join, the greeting and each answered message (CV-17)', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    platform.agent.script = async function* (turn) {
      yield { type: 'intent', name: turn.kind };
      yield { type: 'metric', name: 'length', value: turn.text.length };
      if (turn.kind === 'message') yield { type: 'state', set: { topic: 'ferries' } };
      yield* echoScript(turn);
    };
    const { socket } = await platform.converse();
    socket.send('USER_MESSAGE', { text: 'Hi\u0000 there' });
    const echo = await socket.next('USER_MESSAGE');
    await socket.next(saying('You said: Hi\u0000 there'));
    const [record] = await conversations();
    expect(record).toMatchObject({
      project_id: 'PROJECT-1',
      connector_id: platform.connector.id,
      environment: 'live',
      channel: 'WEBCHAT',
      language: 'en',
      ended_at: null,
      num_turns: 2,
      num_silences: 0,
    });
    expect(record?.['id']).toMatch(/^CONV-[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(await turns()).toMatchObject([
      {
        conversation_id: record?.['id'],
        ordinal: 1,
        kind: 'greeting',
        user_input: '',
        user_input_at: null,
        is_silence: false,
        agent_response: 'Hello!',
        intents: ['greeting'],
        context_state: null,
      },
      {
        ordinal: 2,
        kind: 'message',
        user_input: 'Hi\uFFFD there',
        is_silence: false,
        agent_response: 'You said: Hi\uFFFD there',
        metrics: { length: 9 },
        context_state: { topic: 'ferries' },
        metadata: { message_id: echo.payload['message_id'] },
        failure: null,
      },
    ]);
  });

  it("records the session's variant: the requested one, or else one by weight (SES-3)", async () => {
    const variants = [
      { id: 'calm', name: 'Calm', agent: null, weight: 1 },
      { id: 'brisk', name: 'Brisk', agent: null, weight: 0 },
    ];
    platform = await startTestPlatform(EMBEDDED_ENGINE, { connector: { variants } });
    const seen: (string | undefined)[] = [];
    platform.agent.script = async function* (turn) {
      seen.push(turn.variantId);
      yield* echoScript(turn);
    };
    for (const body of [{}, { variant_id: 'brisk' }, { variant_id: 'none of them' }]) {
      const { socket } = await platform.converse(body);
      socket.send('USER_MESSAGE', { text: 'Hi' });
      await socket.next(saying('You said: Hi'));
    }
    expect(seen).toEqual(['calm', 'calm', 'brisk', 'brisk', 'calm', 'calm']);
    const found = (await conversations()).map((row) => [row['variant_id'], row['variant_name']]);
    expect(found.toSorted()).toEqual([
      ['brisk', 'Brisk'],
      ['calm', 'Calm'],
      ['calm', 'Calm'],
    ]);
    const token = await platform.mintToken();
    const refused = await platform.post(
      '/api/v1/sessions',
      { Authorization: `Bearer ${token}` },
      JSON.stringify({ variant_id: 7 }),
    );
    expect(refused).toMatchObject({ status: 400, body: { error_code: 'INVALID_REQUEST_BODY' } });
  });

  it("records the end in the commit of the session's last event", async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    const { socket } = await platform.converse();
    socket.send('USER_END_SESSION');
    await socket.next('SESSION_END');
    expect(await conversations()).toMatchObject([
      { ended_at: expect.any(Number), end_reason: 'user', num_turns: 1 },
    ]);
  });

  it('records the goodbye of an agent that ends the conversation', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    platform.agent.script = async function* (turn) {
      yield* echoScript(turn);
      if (turn.kind === 'message') yield { type: 'end' };
    };
    const { socket } = await platform.converse();
    socket.send('USER_MESSAGE', { text: 'bye' });
    await socket.next('SESSION_END');
    expect(await conversations()).toMatchObject([{ end_reason: 'agent', num_turns: 2 }]);
    expect(await turns()).toMatchObject([{}, { user_input: 'bye', agent_response: 'You said: bye' }]);
  });

  it("records the user's message and the reason when the agent fails", async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    platform.agent.script = async function* (turn) {
      if (turn.kind === 'message') throw new Error('broken');
      yield* echoScript(turn);
    };
    const { socket } = await platform.converse();
    socket.send('USER_MESSAGE', { text: 'hello?' });
    await socket.next('SYSTEM_MESSAGE');
    expect(await turns()).toMatchObject([
      {},
      { user_input: 'hello?', agent_response: '', agent_response_at: null, failure: 'unavailable' },
    ]);
  });

  it('records questions outside the agent’s domain', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    platform.agent.script = async function* (turn) {
      if (turn.kind === 'message') yield { type: 'intent', name: 'out_of_domain' };
      yield* echoScript(turn);
    };
    const { socket } = await platform.converse();
    socket.send('USER_MESSAGE', { text: 'what is love' });
    await socket.next(saying('You said: what is love'));
    expect(await conversations()).toMatchObject([{ num_ood: 1 }]);
  });

  it("records a handoff, and the agent's return after its failure", async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    platform.agent.script = async function* (turn) {
      yield* echoScript(turn);
      if (turn.kind === 'message') {
        yield {
          type: 'handoff',
          destination: 'desk',
          reason: 'POLICY',
          managed: turn.text === 'client' ? 'client' : 'server',
          data: { order: 7 },
        };
      }
    };
    const { socket } = await platform.converse();
    socket.send('USER_MESSAGE', { text: 'server' });
    await socket.next('HANDOFF_FAILED');
    expect(await conversations()).toMatchObject([
      {
        handoff_at: expect.any(Number),
        handoff_reason: 'POLICY',
        handoff_destination: 'desk',
        handoff_data: { order: 7 },
        agent_left_at: null,
        num_turns: 2,
      },
    ]);
    socket.send('USER_MESSAGE', { text: 'client' });
    await socket.next('CLIENT_HANDOFF_REQUIRED');
    expect(await conversations()).toMatchObject([{ agent_left_at: expect.any(Number), num_turns: 3 }]);
  });
});
