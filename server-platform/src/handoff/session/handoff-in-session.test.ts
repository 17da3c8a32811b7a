import { afterEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { createDoor, echoScript } from '../../../test/realtime/scripted-agent.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import { type TestSocket, typesOf } from '../../../test/realtime/test-socket.ts';
import type { AgentAction, HandoffAction } from '../../agents/index.ts';
import type { MessagingConnector } from '../../realtime/conversation/connector.ts';
import type {
  HandoffLink,
  HandoffRequest,
  HandoffSession,
  ServerHandoffProvider,
} from './handoff-provider.ts';

const grace = { id: 'agent-7', name: 'Grace', avatarUrl: null };

/** A desk that the test works at. */
class TestDesk implements ServerHandoffProvider {
  readonly managed = 'server';
  readonly requests: HandoffRequest[] = [];
  readonly sent: string[] = [];
  readonly typed: string[] = [];
  readonly closed: string[] = [];
  resumed = 0;
  session: HandoffSession | null = null;
  opening: Promise<void> = Promise.resolve();
  isOpen = true;
  canDeliver = true;

  serves(request: HandoffRequest): boolean {
    return request.destination === 'desk';
  }

  async open(request: HandoffRequest, session: HandoffSession): Promise<HandoffLink> {
    this.requests.push(request);
    this.session = session;
    await this.opening;
    if (!this.isOpen) throw new Error('closed on Sundays');
    return this.#link();
  }

  async resume(
    _request: { readonly reference: unknown },
    session: HandoffSession,
  ): Promise<HandoffLink | null> {
    this.session = session;
    this.resumed += 1;
    return this.#link();
  }

  #link(): HandoffLink {
    return {
      reference: { ticket: 1 },
      sendMessage: async ({ text }) => {
        if (!this.canDeliver) throw new Error('the line is dead');
        this.sent.push(text);
      },
      sendTyping: (state) => this.typed.push(state),
      close: (reason) => this.closed.push(reason),
    };
  }
}

let platform: TestPlatform;
afterEach(() => platform.stop());

async function startHandoff(options: {
  readonly action: Partial<HandoffAction>;
  readonly connector?: Partial<MessagingConnector>;
  readonly desk?: TestDesk;
  readonly sweepMs?: number;
}): Promise<TestSocket & { readonly sessionId: string; readonly accessToken: string }> {
  platform = await startTestPlatform(EMBEDDED_ENGINE, {
    ...(options.connector && { connector: options.connector }),
    handoffProviders: options.desk === undefined ? [] : [options.desk],
    limits: { inactivityMs: 86_400_000, pingIntervalMs: 86_400_000 },
    ...(options.sweepMs !== undefined && { sweepMs: options.sweepMs }),
  });
  const action: AgentAction = {
    type: 'handoff',
    destination: 'desk',
    reason: 'COMPLEX_QUERY',
    managed: 'server',
    ...options.action,
  };
  platform.agent.script = async function* (turn) {
    if (turn.text !== 'a person, please') {
      yield* echoScript(turn);
      return;
    }
    yield { type: 'text', text: 'One moment.' };
    yield action;
  };
  const { socket, sessionId, accessToken } = await platform.converse({ streaming_enabled: false });
  socket.send('USER_MESSAGE', { text: 'a person, please' });
  await socket.next((frame) => frame.payload['text'] === 'One moment.');
  return Object.assign(socket, { sessionId, accessToken });
}

const since = (socket: TestSocket, text: string): readonly string[] => {
  const index = socket.events.findIndex(({ payload }) => payload['text'] === text);
  return typesOf(socket.events.slice(index));
};
const stateOf = async (sessionId: string): Promise<unknown> =>
  (
    await platform.database.query<{ state: string }>('SELECT state FROM sessions WHERE id = $1', [sessionId])
  )[0]?.state;

describe('a hand-off that the page manages', () => {
  it('announces a page-managed handoff in the order of 8.4 and leaves the session open', async () => {
    const socket = await startHandoff({
      action: { managed: 'client', queueName: 'billing', reason: 'POLICY' },
      connector: { handoffRoute: '/contact' },
    });
    await socket.next('AGENT_LEFT');
    expect(since(socket, 'One moment.')).toEqual([
      'AGENT_MESSAGE',
      'AGENT_TRIGGERED_HANDOFF',
      'CLIENT_HANDOFF_REQUIRED',
      'AGENT_LEFT',
    ]);
    expect(socket.events.at(-2)?.payload).toEqual({
      reason: 'POLICY',
      queue_name: 'billing',
      route: '/contact',
    });
    expect(await stateOf(socket.sessionId)).toBe('handoff');
    socket.send('USER_MESSAGE', { text: 'anybody?' });
    await socket.next('USER_MESSAGE');
    socket.send('USER_END_SESSION');
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_USER_END' });
    expect(platform.agent.turns).toHaveLength(2);
  });
});

describe('a hand-off without a provider', () => {
  it('fails a handoff without a provider at once, and the agent returns without a greeting', async () => {
    const socket = await startHandoff({ action: {} });
    await socket.next('AGENT_JOINED');
    expect(since(socket, 'One moment.')).toEqual([
      'AGENT_MESSAGE',
      'AGENT_TRIGGERED_HANDOFF',
      'AGENT_LEFT',
      'SYSTEM_MESSAGE',
      'HANDOFF_FAILED',
      'AGENT_JOINED',
    ]);
    const notice = socket.events.at(-3);
    expect(notice?.payload['message']).toBe('Sorry, handoff could not be initiated.');
    expect(notice?.sequence).not.toBeNull();
    expect(await stateOf(socket.sessionId)).toBe('active');
    socket.send('USER_MESSAGE', { text: 'still there?' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: still there?');
  });

  it('leaves the chat without an agent until the user asks for one, if configured', async () => {
    const socket = await startHandoff({ action: {}, connector: { onHandoffFailure: 'stay' } });
    await socket.next('HANDOFF_FAILED');
    socket.send('USER_MESSAGE', { text: 'hello?' });
    expect(
      (await socket.next((f) => f.type === 'EVENT_TYPE_SYSTEM_MESSAGE' && f.sequence === null)).payload[
        'message'
      ],
    ).toBe('Error: Conversation not found');
    socket.send('REQUEST_AGENT_JOIN');
    await socket.next('AGENT_JOINED');
    await socket.next(isEndOfMessage);
    socket.send('USER_MESSAGE', { text: 'hello again' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: hello again');
  });

  it('ends the session after a failed handoff, if configured', async () => {
    const socket = await startHandoff({ action: {}, connector: { onHandoffFailure: 'end' } });
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_NATURAL_END' });
    expect(since(socket, 'One moment.').slice(-2)).toEqual(['HANDOFF_FAILED', 'SESSION_END']);
    expect((await socket.closed).code).toBe(1000);
  });
});

describe('a hand-off to a desk', () => {
  it('runs a handoff to a desk as 8.3 says, from the queue to the end', async () => {
    const desk = new TestDesk();
    const door = createDoor();
    desk.opening = door.opened;
    const socket = await startHandoff({ action: { queueName: 'q', data: { order: 7 } }, desk });
    await socket.next('AGENT_LEFT');
    expect(desk.requests[0]).toMatchObject({
      destination: 'desk',
      reason: 'COMPLEX_QUERY',
      queueName: 'q',
      data: { order: 7 },
      sessionId: socket.sessionId,
      projectId: 'PROJECT-1',
      history: [
        { author: 'agent', text: 'Hello!' },
        { author: 'user', text: 'a person, please' },
        { author: 'agent', text: 'One moment.' },
      ],
    });
    socket.send('USER_MESSAGE', { text: 'written while it opens' });
    await socket.next('USER_MESSAGE');
    door.open();
    await desk.session?.accepted('q');
    await desk.session?.queueChanged({ queueName: 'q', positionInQueue: 2, estimatedWaitSeconds: 30 });
    await socket.next('HANDOFF_QUEUE_STATUS');

    const tab = await platform.connect(socket);
    const status = await tab.next('HANDOFF_QUEUE_STATUS');
    expect(status).toMatchObject({
      sequence: null,
      payload: { queue_name: 'q', position_in_queue: 2, estimated_wait_seconds: 30 },
    });

    await desk.session?.agentJoined(grace);
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    socket.send('USER_MESSAGE', { text: 'hello Grace' });
    await socket.next('USER_MESSAGE');
    await expect.poll(() => desk.sent).toEqual(['written while it opens', 'hello Grace']);
    expect(desk.typed).toEqual(['TYPING_STATE_STARTED']);
    await desk.session?.agentTyping(grace, 'TYPING_STATE_STARTED');
    const messageId = await desk.session?.agentSent({ agent: grace, text: 'How can I help?' });
    const message = await socket.next('LIVE_AGENT_MESSAGE');
    expect(message.payload).toEqual({
      message_id: messageId,
      text: 'How can I help?',
      attachments: [],
      response_suggestions: [],
      agent_id: 'agent-7',
      agent_name: 'Grace',
    });
    expect(await stateOf(socket.sessionId)).toBe('live');
    await desk.session?.agentLeft(grace, 'end');
    await socket.next('SESSION_END');
    expect(since(socket, 'One moment.').filter((type) => type !== 'USER_MESSAGE')).toEqual([
      'AGENT_MESSAGE',
      'AGENT_TRIGGERED_HANDOFF',
      'AGENT_LEFT',
      'HANDOFF_ACCEPTED',
      'HANDOFF_QUEUE_STATUS',
      'LIVE_AGENT_JOINED',
      'LIVE_AGENT_TYPING',
      'LIVE_AGENT_MESSAGE',
      'LIVE_AGENT_LEFT',
      'SESSION_END',
    ]);
    // The queue is over, so a new socket gets no queue event.
    const late = await platform.connect(socket);
    await late.closed;
    expect(typesOf(late.events)).not.toContain('HANDOFF_QUEUE_STATUS');
    expect(platform.agent.turns).toHaveLength(2);
    expect(platform.failures).toEqual([]);
  });

  it('fails a handoff that cannot be opened with its own text', async () => {
    const desk = new TestDesk();
    desk.isOpen = false;
    const socket = await startHandoff({ action: {}, desk });
    await socket.next('AGENT_JOINED');
    expect(since(socket, 'One moment.')).toEqual([
      'AGENT_MESSAGE',
      'AGENT_TRIGGERED_HANDOFF',
      'AGENT_LEFT',
      'SYSTEM_MESSAGE',
      'HANDOFF_FAILED',
      'AGENT_JOINED',
    ]);
    expect(socket.events.at(-3)?.payload['message']).toBe(
      'Sorry, we could not connect you to an agent. Please try again.',
    );
  });

  it('times out when no one joins, and ignores the desk afterwards', async () => {
    const desk = new TestDesk();
    const socket = await startHandoff({ action: {}, desk, connector: { handoffTimeoutMs: 600_000 } });
    await desk.session?.accepted(null);
    platform.clock.skip(599_000);
    expect(typesOf(socket.events)).not.toContain('HANDOFF_TIMEOUT');
    platform.clock.skip(1_000);
    await socket.next('HANDOFF_TIMEOUT');
    await socket.next('AGENT_JOINED');
    expect(desk.closed).toEqual(['timed_out']);
    const { session } = desk;
    await session?.agentJoined(grace);
    await session?.agentSent({ agent: grace, text: 'too late' });
    socket.send('USER_MESSAGE', { text: 'ok' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: ok');
    expect(typesOf(socket.events)).not.toContain('LIVE_AGENT_JOINED');
  });

  it('reports a message that cannot be delivered to the desk', async () => {
    const desk = new TestDesk();
    const socket = await startHandoff({ action: {}, desk });
    await desk.session?.agentJoined(grace);
    desk.canDeliver = false;
    socket.send('USER_MESSAGE', { text: 'hello?' });
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe(
      'Failed to forward message to live agent',
    );
  });

  it.each([
    { state: 'handoff', isJoined: false },
    { state: 'live', isJoined: true },
  ])(
    'that was interrupted continues as soon as a client joins the session ($state)',
    async ({ state, isJoined }) => {
      const desk = new TestDesk();
      const { sessionId, accessToken } = await startHandoff({ action: {}, desk, sweepMs: 86_400_000 });
      await expect.poll(() => desk.requests.length).toBe(1);
      if (isJoined) await desk.session?.agentJoined(grace);
      await expect.poll(() => stateOf(sessionId)).toBe(state);
      platform.messaging.manager.get(sessionId)?.loseOwnership();
      expect(desk.closed).toEqual(['shutdown']);
      const back = await platform.connect({ sessionId, accessToken });
      await expect.poll(() => desk.resumed).toBe(1);
      await desk.session?.agentJoined(grace);
      await back.next('LIVE_AGENT_JOINED');
    },
  );

  it('closes the handoff at the desk when the session is erased', async () => {
    const desk = new TestDesk();
    const socket = await startHandoff({ action: {}, desk });
    await expect.poll(() => desk.requests.length).toBe(1);
    await desk.session?.agentJoined(grace);
    await platform.database.query('INSERT INTO erasures (session_id, erased_at) VALUES ($1, $2)', [
      socket.sessionId,
      Date.now(),
    ]);
    platform.clock.skip(1_000);
    expect(await socket.closed).toMatchObject({ code: 4001 });
    await expect.poll(() => desk.closed).toEqual(['user_ended']);
  });

  it('passes from one person to the next without ending', async () => {
    const desk = new TestDesk();
    const socket = await startHandoff({ action: {}, desk });
    await desk.session?.agentJoined(grace);
    await desk.session?.agentLeft(grace, 'wait', { reason: 'shift over', nextName: 'Sue' });
    expect((await socket.next('LIVE_AGENT_LEFT')).payload).toEqual({
      agent_id: 'agent-7',
      agent_name: 'Grace',
      reason: 'shift over',
      next_name: 'Sue',
    });
    await desk.session?.agentJoined({ id: 'agent-8', name: 'Hedy', avatarUrl: 'https://example.com/h.png' });
    expect(
      (await socket.next((f) => f.type.endsWith('LIVE_AGENT_JOINED') && socket.events.indexOf(f) > 8))
        .payload,
    ).toEqual({
      agent: { id: 'agent-8', name: 'Hedy', avatar_url: 'https://example.com/h.png' },
    });
    socket.send('USER_END_SESSION');
    await socket.next('SESSION_END');
    await expect.poll(() => desk.closed).toEqual(['user_ended']);
  });
});
