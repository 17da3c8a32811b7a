import { afterEach, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { createDoor, echoScript } from '../../test/realtime/scripted-agent.ts';
import { isEndOfMessage, startTestPlatform, type TestPlatform } from '../../test/realtime/test-platform.ts';
import { type TestSocket, typesOf } from '../../test/realtime/test-socket.ts';
import type { AgentAction } from '../agents/index.ts';
import type { HandoffSession, ServerHandoffProvider } from '../handoff/session/handoff-provider.ts';
import type { MessagingConnector } from './conversation/connector.ts';

const NAMED = { natter_extensions: 'other, cancel_handoff' };
const HANDOFF: AgentAction = {
  type: 'handoff',
  destination: 'desk',
  reason: 'COMPLEX_QUERY',
  managed: 'server',
};
const GRACE = { id: 'agent-7', name: 'Grace', avatarUrl: null };

let platform: TestPlatform;
afterEach(() => platform.stop());

/** A desk whose opening the test can delay. */
function createDesk(opening: Promise<void> = Promise.resolve()) {
  const desk = { closed: [] as string[], session: null as HandoffSession | null };
  const provider: ServerHandoffProvider = {
    managed: 'server',
    serves: () => true,
    async open(_request, session) {
      desk.session = session;
      await opening;
      return {
        reference: null,
        sendMessage: async () => {},
        sendTyping() {},
        close: (reason) => desk.closed.push(reason),
      };
    },
    resume: async () => null,
  };
  return Object.assign(desk, { provider });
}

/** Opens a socket whose client named `custom`, and waits until after the greeting. */
async function join(
  desk: ReturnType<typeof createDesk>,
  custom?: Readonly<Record<string, string>>,
  connector: Partial<MessagingConnector> = {},
): Promise<TestSocket> {
  platform = await startTestPlatform(EMBEDDED_ENGINE, { connector, handoffProviders: [desk.provider] });
  platform.agent.script = async function* (turn) {
    if (turn.text === 'a person, please') yield HANDOFF;
    else yield* echoScript(turn);
  };
  const socket = await platform.connect(await platform.startSession({ streaming_enabled: false }));
  socket.send('REQUEST_AGENT_JOIN', {}, custom);
  await socket.next(isEndOfMessage);
  return socket;
}

async function startWaiting(socket: TestSocket): Promise<void> {
  socket.send('USER_MESSAGE', { text: 'a person, please' });
  await socket.next('AGENT_LEFT');
}

const refusalOf = async (socket: TestSocket): Promise<unknown> =>
  (await socket.next('SYSTEM_MESSAGE')).payload['message'];

it("lists the platform's extensions in SESSION_START (EXT-1)", async () => {
  const socket = await join(createDesk());
  const start = socket.events.find(({ type }) => type === 'EVENT_TYPE_SESSION_START');
  expect(start?.payload['capabilities']).toMatchObject({
    extensions: ['cancel_handoff', 'feedback', 'stop', 'survey_comment'],
  });
});

it.each([undefined, { natter_extensions: 'other' }])(
  'refuses the event of an extension that the join did not name: %j (EXT-1)',
  async (custom) => {
    const desk = createDesk();
    const socket = await join(desk, custom);
    await startWaiting(socket);
    socket.send('X_CANCEL_HANDOFF');
    expect(await refusalOf(socket)).toBe('Event type not allowed: EVENT_TYPE_X_CANCEL_HANDOFF');
    expect(typesOf(socket.events)).not.toContain('HANDOFF_FAILED');
    expect(desk.closed).toEqual([]);
  },
);

it('refuses events of extensions that the platform lacks (EXT-1, EXT-2)', async () => {
  const socket = await join(createDesk(), NAMED);
  socket.send('X_SOMETHING_ELSE');
  expect(await refusalOf(socket)).toBe('Event type not allowed: EVENT_TYPE_X_SOMETHING_ELSE');
});

it('hides the extension names from the agent', async () => {
  await join(createDesk(), { ...NAMED, page: '/ferries' });
  expect(platform.agent.turns.map(({ pageContext }) => pageContext)).toEqual([{ page: '/ferries' }]);
});

it.each(['rejoin', 'end', 'stay'] as const)(
  'returns a visitor who cancels a handoff to the agent, even if a failure means "%s" (EXT-5)',
  async (onHandoffFailure) => {
    const desk = createDesk();
    const socket = await join(desk, NAMED, { onHandoffFailure });
    await startWaiting(socket);
    await desk.session?.accepted('Bookings');
    socket.send('X_CANCEL_HANDOFF');
    const failed = await socket.next('HANDOFF_FAILED');
    expect(failed.payload).toEqual({ reason: 'cancelled_by_user' });
    await socket.next('AGENT_JOINED');
    expect(desk.closed).toEqual(['cancelled_by_user']);
    socket.send('USER_MESSAGE', { text: 'never mind' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: never mind');
    expect(typesOf(socket.events)).not.toContain('X_CANCEL_HANDOFF');
    expect(platform.failures).toEqual([]);
  },
);

it('withdraws a request that the desk is still opening, and answers messages sent meanwhile (EXT-5)', async () => {
  const door = createDoor();
  const desk = createDesk(door.opened);
  const socket = await join(desk, NAMED);
  await startWaiting(socket);
  socket.send('USER_MESSAGE', { text: 'are you there?' });
  socket.send('X_CANCEL_HANDOFF');
  await socket.next('HANDOFF_FAILED');
  expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: are you there?');
  expect(desk.closed).toEqual([]);
  door.open();
  await expect.poll(() => desk.closed).toEqual(['cancelled_by_user']);
});

it('ignores a cancellation that comes too late or without a handoff (EXT-5)', async () => {
  const desk = createDesk();
  const socket = await join(desk, NAMED);
  socket.send('X_CANCEL_HANDOFF');
  await startWaiting(socket);
  await desk.session?.agentJoined(GRACE);
  socket.send('X_CANCEL_HANDOFF');
  socket.send('USER_MESSAGE', { text: 'hello Grace' });
  await socket.next('USER_MESSAGE');
  expect(typesOf(socket.events)).not.toContain('HANDOFF_FAILED');
  expect(typesOf(socket.events)).not.toContain('SYSTEM_MESSAGE');
  expect(desk.closed).toEqual([]);
});

it('returns the visitor from a page that manages handoffs itself (EXT-5)', async () => {
  const socket = await join(createDesk(), NAMED);
  platform.agent.script = async function* () {
    yield { ...HANDOFF, managed: 'client' };
  };
  await startWaiting(socket);
  socket.send('X_CANCEL_HANDOFF');
  expect((await socket.next('HANDOFF_FAILED')).payload).toEqual({ reason: 'cancelled_by_user' });
  await socket.next('AGENT_JOINED');
});

it("restores the join's extensions when another owner loads the session", async () => {
  const desk = createDesk();
  const socket = await join(desk, NAMED);
  const [sessionId] = (await platform.database.query<{ id: string }>('SELECT id FROM sessions')).map(
    ({ id }) => id,
  );
  platform.messaging.manager.get(sessionId ?? '')?.loseOwnership();
  socket.send('X_CANCEL_HANDOFF');
  socket.send('USER_MESSAGE', { text: 'hello' });
  await socket.next('USER_MESSAGE');
  expect(typesOf(socket.events)).not.toContain('SYSTEM_MESSAGE');
});
