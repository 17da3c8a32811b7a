import { expect, it } from 'vitest';
import {
  createDesk,
  createFlow,
  GRACE,
  PAGE,
  settled,
  TIMEOUT_MS,
} from '../../../test/realtime/handoff-flow.ts';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import type { AgentHistoryEntry } from '../../agents/index.ts';
import { HandoffRefusedError } from './handoff-provider.ts';

it('resumes a page-managed handoff after a restart: opens nothing, and no agent answers (8.4)', async () => {
  const desk = createDesk();
  const { flow, clock, seen, resume } = createFlow([desk.provider]);
  resume('handoff', { managed: 'client' });
  expect([flow.isActive, flow.recipient]).toEqual([true, 'nobody']);
  clock.skip(TIMEOUT_MS);
  await settled();
  expect([desk.resumptions, seen.types]).toEqual([[], []]);
});

it.each([
  { state: 'handoff' as const, isLive: false },
  { state: 'live' as const, isLive: true },
])('is found again after a restart by the provider that knows it ($state)', async ({ state, isLive }) => {
  const [stranger, desk] = [createDesk(), createDesk()];
  stranger.knows = false;
  const { flow, seen, resume } = createFlow([PAGE, stranger.provider, desk.provider]);
  resume(state, { managed: 'server', reference: { ticket: 1 } });
  expect(flow.recipient).toBe('held');
  await settled();
  expect(flow.recipient).toBe('person');
  expect(stranger.resumptions).toHaveLength(1);
  expect(desk.resumptions).toEqual([{ sessionId: 'session', reference: { ticket: 1 }, isLive }]);
  expect(seen.patches).toEqual([{ handoff: { managed: 'server', reference: { ticket: 1 } } }]);
  expect(seen.steps).toEqual(['messages are forwarded']);
});

it('restarts the wait for a person after a restart, but not for one who had joined (8.5)', async () => {
  const [waiting, live] = [createDesk(), createDesk()];
  const [one, other] = [createFlow([waiting.provider]), createFlow([live.provider])];
  one.resume('handoff', null);
  other.resume('live', 'no object');
  await settled();
  expect([waiting, live].map(({ resumptions }) => resumptions[0]?.reference)).toEqual([null, null]);
  for (const { clock } of [one, other]) clock.skip(TIMEOUT_MS);
  await settled();
  expect(waiting.closed).toEqual(['timed_out']);
  expect(one.seen.types).toEqual(['HANDOFF_TIMEOUT', 'AGENT_JOINED']);
  expect(one.flow.isActive).toBe(false);
  expect([live.closed, other.seen.types]).toEqual([[], []]);
  expect(other.flow.recipient).toBe('person');
});

it('fails a resumed handoff that no provider knows', async () => {
  const desk = createDesk();
  desk.knows = false;
  const { flow, seen, resume } = createFlow([desk.provider]);
  resume('live', { managed: 'server', reference: null });
  await settled();
  expect(seen.types).toEqual(['SYSTEM_MESSAGE', 'HANDOFF_FAILED', 'AGENT_JOINED']);
  expect(seen.payloads[0]).toMatchObject({
    message: 'Sorry, we could not connect you to an agent. Please try again.',
  });
  expect(seen.failures).toHaveLength(1);
  expect(seen.failures[0]).toContain('open a hand-off: Error');
  expect(flow.isActive).toBe(false);
});

it('stores a handoff with the end of its turn, and opens it only then', async () => {
  const desk = createDesk();
  const { flow, seen, begin } = createFlow([desk.provider]);
  await begin();
  expect(seen.types).toEqual(['AGENT_TRIGGERED_HANDOFF', 'AGENT_LEFT']);
  const patch = { agentState: 7, state: 'handoff', handoff: { managed: 'server', reference: null } };
  expect(seen.patches).toEqual([patch]);
  expect(flow.recipient).toBe('held');
  flow.forward({ messageId: 'm', text: 'too early' });
  await settled();
  expect(flow.recipient).toBe('person');
  expect([desk.sent, seen.failures]).toEqual([[], []]);
});

it.each([
  { who: 'the provider is one of the page', provider: PAGE, managed: 'server' as const },
  { who: 'the agent says so', provider: createDesk().provider, managed: 'client' as const },
  { who: 'the agent says so and nobody provides it', provider: null, managed: 'client' as const },
])('is left to the page when $who (8.4)', async ({ provider, managed }) => {
  const { flow, clock, seen, begin } = createFlow(provider === null ? [] : [provider]);
  await begin({ managed });
  expect(seen.types).toEqual(['AGENT_TRIGGERED_HANDOFF', 'CLIENT_HANDOFF_REQUIRED', 'AGENT_LEFT']);
  expect(seen.patches).toEqual([{ agentState: 7, state: 'handoff', handoff: { managed: 'client' } }]);
  expect(flow.recipient).toBe('nobody');
  clock.skip(TIMEOUT_MS);
  await settled();
  expect(seen.types).not.toContain('HANDOFF_TIMEOUT');
});

it.each([
  { setting: 'rejoin' as const, last: 'AGENT_JOINED', record: { id: 'CONV-1', isAgentBack: true } },
  { setting: 'stay' as const, last: 'HANDOFF_FAILED', record: { id: 'CONV-1' } },
])('without a provider fails in one commit ($setting, 8.5)', async ({ setting, last, record }) => {
  const { flow, seen, begin } = createFlow([], setting);
  await begin();
  expect(seen.types.slice(0, 4)).toEqual([
    'AGENT_TRIGGERED_HANDOFF',
    'AGENT_LEFT',
    'SYSTEM_MESSAGE',
    'HANDOFF_FAILED',
  ]);
  expect(seen.types.at(-1)).toBe(last);
  expect(seen.records).toEqual([record]);
  expect(seen.patches).toMatchObject([{ agentState: 7, handoff: null }]);
  expect(flow.recipient).toBe('agent');
});

it("ends the session after the last person at the desk's request (8.10)", async () => {
  const desk = createDesk();
  const { flow, seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  await desk.session?.accepted('billing');
  await desk.session?.accepted(null);
  await desk.session?.queueChanged({ positionInQueue: 1 });
  await desk.session?.agentLeft(GRACE, 'end');
  expect(seen.types.slice(2)).toEqual(['HANDOFF_ACCEPTED', 'HANDOFF_ACCEPTED', 'LIVE_AGENT_LEFT']);
  expect(seen.payloads.slice(2, 4)).toEqual([{ queue_name: 'billing' }, {}]);
  expect(seen.steps.at(-1)).toBe('ended');
  expect([flow.recipient, flow.queueStatus]).toEqual(['agent', null]);
});

it('returns to the automated agent when the last person requests it (8.10)', async () => {
  const desk = createDesk();
  const { flow, seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  await desk.session?.agentJoined(GRACE);
  await desk.session?.agentLeft(GRACE, 'agent');
  expect(seen.types.slice(-2)).toEqual(['LIVE_AGENT_LEFT', 'AGENT_JOINED']);
  expect(seen.patches.at(-1)).toEqual({ state: 'active', handoff: null });
  expect([seen.steps.at(-1), flow.recipient]).toEqual(['the agent answers', 'agent']);
});

it('closes a handoff at the desk that the visitor withdraws, even before it was opened (EXT-5)', async () => {
  const [open, opening] = [createDesk(), createDesk()];
  const door = createDoor();
  opening.opening = door.opened;
  // Its connector's setting is for failures.
  const [one, other] = [createFlow([open.provider], 'end'), createFlow([opening.provider], 'end')];
  for (const { flow, begin } of [one, other]) {
    await begin();
    await settled();
    await flow.cancel();
  }
  expect([open.closed, opening.closed]).toEqual([['cancelled_by_user'], []]);
  door.open();
  await settled();
  expect(opening.closed).toEqual(['cancelled_by_user']);
  for (const { flow, seen } of [one, other]) {
    expect(seen.types.slice(2)).toEqual(['HANDOFF_FAILED', 'AGENT_JOINED']);
    expect(seen.payloads[2]).toEqual({ reason: 'cancelled_by_user' });
    expect(flow.recipient).toBe('agent');
  }
});

it('cannot withdraw a handoff once a person has joined', async () => {
  const desk = createDesk();
  const { flow, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  await desk.session?.agentJoined(GRACE);
  await flow.cancel();
  expect([desk.closed, flow.recipient]).toEqual([[], 'person']);
});

it('sends the desk the reason for the end, and nothing afterwards', async () => {
  const desk = createDesk();
  const { flow, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  flow.close('user_ended');
  flow.forward({ messageId: 'm', text: 'too late' });
  await settled();
  expect([desk.closed, desk.sent]).toEqual([['user_ended'], []]);
});

it("ignores events of an earlier handoff's desk, and results of its messages", async () => {
  const desk = createDesk();
  const { flow, seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  const { session: earlier } = desk;
  const door = createDoor();
  desk.sending = () => door.opened.then(() => Promise.reject(new Error('the line is dead')));
  flow.forward({ messageId: 'm', text: 'hello' });
  await earlier?.failed();
  await begin();
  await settled();
  const before = [...seen.types];
  await earlier?.agentJoined(GRACE);
  await earlier?.failed();
  door.open();
  await settled();
  expect(seen.types).toEqual(before);
  expect(flow.recipient).toBe('person');
});

it('closes a handoff at the desk that ended before it was opened, and leaves no trace', async () => {
  const desk = createDesk();
  const door = createDoor();
  desk.opening = door.opened;
  const { flow, seen, begin } = createFlow([desk.provider]);
  await begin();
  flow.close('user_ended');
  expect([flow.isActive, desk.closed]).toEqual([false, []]);
  const before = [...seen.types];
  door.open();
  await settled();
  expect(desk.closed).toEqual(['timed_out']);
  await desk.session?.accepted('q');
  expect([seen.types, seen.steps, flow.recipient]).toEqual([before, [], 'agent']);
});

it('reports a refused handoff as not initiated (12.1)', async () => {
  const desk = createDesk();
  desk.opening = Promise.reject(new HandoffRefusedError('not for this account'));
  const { seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  expect(seen.types.slice(2)).toEqual(['SYSTEM_MESSAGE', 'HANDOFF_FAILED', 'AGENT_JOINED']);
  expect(seen.payloads[2]).toMatchObject({ message: 'Sorry, handoff could not be initiated.' });
});

it('forwards messages one by one, even after a failed one', async () => {
  const desk = createDesk();
  const { flow, seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  const door = createDoor();
  desk.sending = async (text) => {
    await door.opened;
    if (text === 'lost') throw new Error('the line is dead');
  };
  for (const text of ['first', 'lost', 'last']) flow.forward({ messageId: text, text });
  flow.forwardTyping('TYPING_STATE_STARTED');
  await settled();
  expect([desk.sent, desk.typed]).toEqual([[], ['TYPING_STATE_STARTED']]);
  door.open();
  await settled();
  expect(desk.sent).toEqual(['first', 'last']);
  expect(seen.types.slice(2)).toEqual(['SYSTEM_MESSAGE']);
  expect(seen.payloads.at(-1)).toMatchObject({ message: 'Failed to forward message to live agent' });
  expect(seen.failures).toEqual(['forward a message to a live agent: Error: the line is dead']);
});

it.each([
  [{}, { queueName: null, data: {} }],
  [
    { queueName: 'billing', data: { order: 7 } },
    { queueName: 'billing', data: { order: 7 } },
  ],
])('names who asks for a person, why, and what was said before (%j)', async (action, asked) => {
  const desk = createDesk();
  const { session, begin } = createFlow([desk.provider]);
  const history: readonly AgentHistoryEntry[] = [{ author: 'user', text: 'A person, please' }];
  session.historyBefore = () => history;
  await begin(action);
  expect(desk.requests).toStrictEqual([
    {
      ...{ sessionId: 'session', conversationId: 'CONV-1', connectorId: 'connector', projectId: 'PROJECT-1' },
      ...{ provider: 'desk', destination: 'desk', reason: 'COMPLEX_QUERY', history, ...asked },
    },
  ]);
});

it.each([
  [{ queueName: 'billing', deskHours: 'weekdays, 9 to 5' }, { desk_hours: 'weekdays, 9 to 5' }, 'billing'],
  [{}, {}, 'desk'],
])('says when the desk is staffed, and which queue the page asks (%j)', async (action, started, queue) => {
  const { seen, begin } = createFlow([PAGE]);
  await begin(action);
  expect(seen.payloads).toStrictEqual([started, { reason: 'COMPLEX_QUERY', queue_name: queue }, {}]);
});

it.each([
  [{}, {}],
  [
    { queueName: 'billing', positionInQueue: 2, estimatedWaitSeconds: 60, displayMessage: 'Soon' },
    {
      ...{ queue_name: 'billing', position_in_queue: 2 },
      ...{ estimated_wait_seconds: 60, display_message: 'Soon' },
    },
  ],
])('passes on what the desk says of the queue, and nothing else (%j)', async (status, wire) => {
  const desk = createDesk();
  const { flow, begin } = createFlow([desk.provider]);
  await begin();
  await desk.session?.queueChanged(status);
  expect(flow.queueStatus).toStrictEqual(wire);
});

it('keeps the queue status until a person joins, and waits again when they leave (5.5, 8.10)', async () => {
  const desk = createDesk();
  const { flow, clock, seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  await desk.session?.queueChanged({ positionInQueue: 2 });
  expect(flow.queueStatus).toEqual({ position_in_queue: 2 });
  await desk.session?.agentJoined(GRACE);
  expect(flow.queueStatus).toBeNull();
  clock.skip(TIMEOUT_MS);
  await settled();
  await desk.session?.agentTyping(GRACE, 'TYPING_STATE_STARTED');
  expect(seen.transients).toEqual(['HANDOFF_QUEUE_STATUS', 'LIVE_AGENT_TYPING']);
  await desk.session?.agentLeft(GRACE, 'wait');
  expect(seen.patches.slice(-2)).toEqual([{ state: 'live' }, { state: 'handoff' }]);
  clock.skip(TIMEOUT_MS / 2);
  await settled();
  expect(desk.closed).toEqual([]);
  clock.skip(TIMEOUT_MS / 2);
  await settled();
  expect(desk.closed).toEqual(['timed_out']);
  expect(seen.types.slice(-3)).toEqual(['LIVE_AGENT_LEFT', 'HANDOFF_TIMEOUT', 'AGENT_JOINED']);
  expect([seen.patches.at(-1), seen.steps]).toEqual([
    { state: 'active', handoff: null },
    ['messages are forwarded', 'the agent answers'],
  ]);
});

it('treats a person who writes as joined, before the message (8.3)', async () => {
  const desk = createDesk();
  const { flow, clock, seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  await desk.session?.queueChanged({ positionInQueue: 2 });
  for (const text of ['Hello', 'How can I help?']) await desk.session?.agentSent({ agent: GRACE, text });
  expect(seen.types.slice(2)).toEqual(['LIVE_AGENT_JOINED', 'LIVE_AGENT_MESSAGE', 'LIVE_AGENT_MESSAGE']);
  expect(seen.patches).toContainEqual({ state: 'live' });
  expect(flow.queueStatus).toBeNull();
  clock.skip(TIMEOUT_MS);
  await settled();
  expect(desk.closed).toEqual([]);
});

it('ignores queue events once a person has joined (5.5, 8.3)', async () => {
  const desk = createDesk();
  const { flow, seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  await desk.session?.agentJoined(GRACE);
  await desk.session?.accepted('billing');
  await desk.session?.queueChanged({ positionInQueue: 1 });
  expect(flow.queueStatus).toBeNull();
  expect([seen.types.slice(2), seen.transients]).toEqual([['LIVE_AGENT_JOINED'], []]);
});

it("counts the timeout from the last person's departure (8.5)", async () => {
  const desk = createDesk();
  const { clock, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  await desk.session?.agentLeft(GRACE, 'wait');
  clock.skip(TIMEOUT_MS / 2);
  await desk.session?.agentLeft(GRACE, 'wait');
  clock.skip(TIMEOUT_MS / 2);
  await settled();
  expect(desk.closed).toEqual([]);
});

it('does not time out when a person joins while the timeout is queued', async () => {
  const desk = createDesk();
  const { flow, clock, queue, seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  const door = createDoor();
  const before = queue.run(() => door.opened);
  const joined = desk.session?.agentJoined(GRACE);
  clock.skip(TIMEOUT_MS);
  door.open();
  await Promise.all([before, joined]);
  await settled();
  expect(seen.types.at(-1)).toBe('LIVE_AGENT_JOINED');
  expect(flow.recipient).toBe('person');
});

it.each([
  { setting: 'rejoin' as const, types: ['HANDOFF_FAILED', 'AGENT_JOINED'], step: 'the agent answers' },
  { setting: 'stay' as const, types: ['HANDOFF_FAILED'], step: 'the agent answers' },
  { setting: 'end' as const, types: ['HANDOFF_FAILED'], step: 'ended' },
])('that the desk gives up does what the connector says ($setting)', async ({ setting, types, step }) => {
  const desk = createDesk();
  const { flow, seen, begin } = createFlow([desk.provider], setting);
  await begin();
  await settled();
  await desk.session?.failed('nobody is there');
  expect(seen.types.slice(2)).toEqual(types);
  expect(seen.payloads).toContainEqual({ reason: 'nobody is there' });
  expect(seen.steps.at(-1)).toBe(step);
  expect(flow.recipient).toBe('agent');
  // It closed the hand-off itself.
  expect(desk.closed).toEqual([]);
  await desk.session?.agentJoined(GRACE);
  expect(seen.types.slice(2)).toEqual(types);
  if (setting !== 'end')
    expect(seen.patches.at(-1)).toEqual(
      setting === 'rejoin'
        ? { state: 'active', handoff: null }
        : { state: 'created', conversationStatus: 'lost', handoff: null },
    );
});
