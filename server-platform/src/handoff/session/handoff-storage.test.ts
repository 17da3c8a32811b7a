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
import type { WaitingTurn } from '../../realtime/conversation/session-port.ts';

it('ends the turns of messages forwarded to a person, so that no later owner answers them', async () => {
  const desk = createDesk();
  const { session, begin } = createFlow([desk.provider]);
  const turn = (text: string): WaitingTurn => ({
    ...{ id: `turn of ${text}`, kind: 'message', text, messageId: `id of ${text}` },
    ...{ inputSequence: 7, custom: null, queuedAtMs: 0 },
  });
  session.waiting = [turn('one'), turn('two')];
  await begin();
  await settled();
  await settled();
  expect(desk.sent).toEqual(['one', 'two']);
  const ended = session.seen.appended.map(({ effects }) => effects?.endTurn);
  expect(ended.filter((each) => each !== undefined).slice(1)).toEqual(session.waiting);
});

it('reports a desk event that cannot be stored, without failing the desk', async () => {
  const desk = createDesk();
  const { session, seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  session.failure = new Error('the database is away');
  expect(await desk.session?.agentSent({ agent: GRACE, text: 'hello' })).toBeNull();
  await desk.session?.agentJoined(GRACE);
  expect(seen.failures).toEqual(
    Array.from({ length: 2 }, () => 'run a hand-off: Error: the database is away'),
  );
});

it.each(['end', 'agent'] as const)(
  "reports a person's departure that cannot be stored, without failing the desk (%s)",
  async (next) => {
    const desk = createDesk();
    const { session, seen, begin } = createFlow([desk.provider]);
    await begin();
    await settled();
    session.failure = new Error('the database is away');
    await desk.session?.agentLeft(GRACE, next);
    expect(seen.failures).toEqual(['run a hand-off: Error: the database is away']);
  },
);

it.each(['the reference of the desk', 'the end of a turn that waited'])(
  'fails a handoff when %s cannot be stored',
  async (what) => {
    const desk = createDesk();
    const door = createDoor();
    desk.opening = door.opened;
    const { session, seen, begin } = createFlow([desk.provider]);
    await begin();
    const failure = new Error('the database is away');
    const turn: WaitingTurn = {
      ...{ id: 'turn', kind: 'message', text: 'hello', messageId: 'm' },
      ...{ inputSequence: 7, custom: null, queuedAtMs: 0 },
    };
    if (what === 'the reference of the desk') session.failure = failure;
    session.takeWaitingMessages = () => {
      session.failure = failure;
      return [turn];
    };
    door.open();
    await settled();
    await settled();
    expect(seen.failures).toEqual([
      'open a hand-off: Error: the database is away',
      'run a hand-off: Error: the database is away',
    ]);
    expect(desk.sent).toEqual([]);
  },
);

it('changes nothing for a repeated desk event', async () => {
  const desk = createDesk();
  const { session, flow, clock, seen, begin } = createFlow([desk.provider]);
  await begin();
  await settled();
  await desk.session?.agentJoined(GRACE, 'joined');
  const before = [...seen.types];
  session.stored = {
    ...{ id: 'e', type: 'EVENT_TYPE_LIVE_AGENT_MESSAGE', sequence: 9, timestampMs: 0, custom: null },
    payload: { message_id: 'the first' },
  };
  expect(await desk.session?.agentSent({ agent: GRACE, text: 'hello' }, 'said')).toBe('the first');
  await desk.session?.agentLeft(GRACE, 'wait', undefined, 'left');
  clock.skip(TIMEOUT_MS);
  await settled();
  expect([seen.types, desk.closed, flow.recipient]).toEqual([before, [], 'person']);
});

it('ends the requesting turn in the commit of the request, or of the failure', async () => {
  const ended = { endTurn: { id: 'the turn that asked' } };
  for (const provider of [createDesk().provider, PAGE]) {
    const { session, begin } = createFlow([provider]);
    await begin();
    expect(session.seen.appended[0]?.effects).toMatchObject(ended);
  }
  for (const setting of ['rejoin', 'stay', 'end'] as const) {
    const { session, begin } = createFlow([], setting);
    await begin();
    expect([...session.seen.appended, ...session.seen.ends].map(({ effects }) => effects)).toMatchObject([
      ended,
    ]);
  }
});

it.each(['rejoin', 'stay', 'end'] as const)(
  'reports a failed handoff that cannot be stored, and does not let the agent answer (%s)',
  async (setting) => {
    const desk = createDesk();
    const { session, seen, begin } = createFlow([desk.provider], setting);
    await begin();
    await settled();
    session.failure = new Error('the database is away');
    await desk.session?.failed();
    expect(seen.failures).toEqual(['run a hand-off: Error: the database is away']);
    expect(seen.steps).toEqual(['messages are forwarded']);
  },
);
