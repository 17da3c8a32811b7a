import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeSession } from '../../../test/realtime/fake-session.ts';
import { createDoor, createScriptedAgent, echoScript } from '../../../test/realtime/scripted-agent.ts';
import { AgentError } from '../../agents/index.ts';
import type { WaitingTurn } from '../conversation/session-port.ts';
import type { StoredSession } from '../event-log/index.ts';
import { SessionLossError } from '../session-loss.ts';
import type { EventTurn } from './external-event-waits.ts';
import { TurnQueue } from './turn-queue.ts';

// Fake time moves only when the test advances it, so a slow machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const GREETING: WaitingTurn = {
  id: 'greeting',
  kind: 'greeting',
  text: '',
  messageId: null,
  inputSequence: 2,
  custom: null,
  queuedAtMs: 0,
};
const message = (text: string, fields: Partial<WaitingTurn> = {}): WaitingTurn => ({
  ...GREETING,
  id: text,
  kind: 'message',
  text,
  messageId: `msg_${text}`,
  inputSequence: 5,
  ...fields,
});
const EVENT: EventTurn = {
  kind: 'event',
  wait: { eventId: 'event-1', round: 1 },
  event: { name: 'payment', received: null },
};

/** The turn queue of one session whose log is an array. */
function createQueue(row: Partial<StoredSession> = {}) {
  const session = createFakeSession({ row });
  const agent = createScriptedAgent();
  session.agent = agent;
  const { clock, queue, seen, history } = session;
  const turns = new TurnQueue(session);
  const settle = vi.spyOn(turns.waits, 'settle');
  const open = vi.spyOn(turns.waits, 'open').mockResolvedValue();
  const types = (): readonly string[] => seen.appended.flatMap((each) => each.types);
  /** Adds a line to the agent's history. */
  const say = (sequence: number, text: string): void =>
    history.apply({
      id: text,
      type: 'EVENT_TYPE_USER_MESSAGE',
      sequence,
      timestampMs: 0,
      payload: { text },
      custom: null,
    });
  return { agent, clock, queue, seen, session, turns, types, say, settle, open };
}

it('runs one turn at a time, in order', async () => {
  const { agent, turns, seen } = createQueue();
  const door = createDoor();
  agent.script = async function* (turn) {
    if (turn.text === 'first') await door.opened;
    yield* echoScript(turn);
  };
  turns.add(message('first'));
  expect([turns.waitingCount, turns.isIdle]).toEqual([0, false]);
  turns.add(message('second'));
  await settled();
  expect([turns.waitingCount, turns.isIdle, agent.turns.length]).toEqual([1, false, 1]);
  door.open();
  await turns.idle();
  expect(agent.turns.map(({ text }) => text)).toEqual(['first', 'second']);
  expect([turns.waitingCount, turns.isIdle]).toEqual([0, true]);
  expect(seen.results).toEqual(['answered', 'answered']);
});

it('starts no turn while it is paused', async () => {
  const { agent, turns } = createQueue();
  turns.pause();
  turns.add(message('hi'));
  await settled();
  expect([agent.turns.length, turns.isIdle]).toEqual([0, false]);
});

it('waits for a conversation, but runs a greeting first', async () => {
  const { agent, turns, session } = createQueue({ conversationStatus: 'none' });
  turns.add(message('early'));
  await settled();
  expect([agent.turns.length, turns.isIdle]).toEqual([0, true]);
  // The join's commit has started the conversation.
  session.row = { ...session.row, conversationStatus: 'running' };
  turns.add(GREETING);
  await turns.idle();
  await settled();
  await turns.idle();
  expect(agent.turns.map(({ kind }) => kind)).toEqual(['greeting', 'message']);
});

it('leaves messages to a person during a handoff, who receives only them', async () => {
  const { agent, turns, session } = createQueue();
  session.row = { ...session.row, state: 'live' };
  turns.add(message('for a person'));
  turns.add(EVENT);
  await settled();
  expect([agent.turns.length, turns.isIdle]).toEqual([0, true]);
  expect(turns.takeMessages().map(({ text }) => text)).toEqual(['for a person']);
  session.row = { ...session.row, state: 'active' };
  turns.startNext();
  await turns.idle();
  expect(agent.turns.map(({ kind }) => kind)).toEqual(['event']);
});

it('drops waiting turns and aborts the running one without storing its end', async () => {
  const { agent, clock, turns, seen } = createQueue();
  const door = createDoor();
  agent.script = async function* () {
    await door.opened;
    yield { type: 'text', text: 'too late' };
  };
  turns.add(message('first'));
  turns.add(message('second'));
  await settled();
  clock.skip(300);
  turns.abort('released');
  expect(turns.waitingCount).toBe(0);
  door.open();
  await turns.idle();
  expect([seen.appended, seen.results, seen.discarded]).toEqual([[], ['aborted'], []]);
  expect(seen.durations).toEqual([300]);
  agent.script = echoScript;
  turns.add(message('third'));
  await turns.idle();
  expect(seen.results).toEqual(['aborted', 'answered']);
});

it('stores nothing more of an aborted answer', async () => {
  const { agent, turns, seen } = createQueue({ streaming: true });
  agent.script = async function* () {
    yield { type: 'text', text: 'said, but not stored' };
    turns.abort('released');
    await settled();
  };
  turns.add(message('hi'));
  await turns.idle();
  expect([seen.appended, seen.discarded]).toEqual([[], []]);
});

it('does not conclude an answer that was aborted while its last part was stored', async () => {
  const { agent, turns, seen, session } = createQueue({ streaming: true });
  const door = createDoor();
  session.storing = door.opened;
  let isOver = false;
  agent.script = async function* () {
    yield { type: 'text', text: 'First. ' };
    await settled();
    await settled();
    yield { type: 'text', text: 'Second.' };
    isOver = true;
  };
  turns.add(message('hi'));
  while (!isOver) await settled();
  await settled();
  turns.abort('released');
  door.open();
  await turns.idle();
  expect(seen.appended.map(({ effects }) => Object.keys(effects ?? {}))).toEqual([['beginTurn']]);
  expect(seen.results).toEqual(['aborted']);
});

it('runs a resumed turn while the aborted one is still being stored', async () => {
  const { agent, turns, seen, session } = createQueue();
  const door = createDoor();
  session.storing = door.opened;
  turns.add(message('hi'));
  while (agent.turns.length === 0) await settled();
  await settled();
  turns.abort('reloading the session');
  turns.add(message('hi'));
  door.open();
  await turns.idle();
  expect(agent.turns).toHaveLength(2);
  expect(seen.results).toHaveLength(2);
});

it('announces the agent with a greeting, once, and its thinking with every other turn', async () => {
  const { turns, seen, session, types } = createQueue({ state: 'created' });
  turns.add(GREETING);
  await turns.idle();
  expect(types()).toEqual(['AGENT_JOINED', 'AGENT_MESSAGE']);
  expect(seen.appended[0]?.effects).toEqual({ session: { state: 'active' } });
  expect(session.row.state).toBe('active');
  expect(seen.transients).toEqual(['AGENT_THINKING']);
  turns.add({ ...GREETING, id: 'again' });
  await turns.idle();
  expect(types().filter((type) => type === 'AGENT_JOINED')).toHaveLength(1);
  turns.add(message('hi'));
  await turns.idle();
  expect(seen.transients).toEqual(['AGENT_THINKING', 'AGENT_THINKING', 'AGENT_THINKING']);
  session.hasAgentJoined = false;
  turns.add({ ...GREETING, id: 'after a restart' });
  await turns.idle();
  expect(types().filter((type) => type === 'AGENT_JOINED')).toHaveLength(2);
});

it("stores a turn's start with the first part of its answer, and its end with the last", async () => {
  const { agent, clock, turns, seen } = createQueue({ streaming: true });
  const startMs = clock.now();
  agent.script = async function* () {
    for (const text of ['First. ', 'Second. ', 'Third.']) {
      clock.skip(100);
      yield { type: 'text', text };
      await settled();
      await settled();
    }
  };
  turns.add(message('hi', { queuedAtMs: startMs - 500 }));
  await turns.idle();
  const begun = { id: 'hi', messageId: expect.stringMatching(/^msg_/), startedAtMs: startMs + 100 };
  expect(seen.appended.map(({ effects }) => effects?.beginTurn)).toEqual([
    begun,
    undefined,
    undefined,
    undefined,
  ]);
  expect(seen.appended.map(({ effects }) => effects?.endTurn?.id)).toEqual([
    undefined,
    undefined,
    undefined,
    'hi',
  ]);
  expect(seen.appended.at(-1)?.effects?.record?.turns).toMatchObject([
    { latencyMs: 600, atMs: startMs + 300 },
  ]);
});

it('ends a turn without text with the next write, and starts the next one', async () => {
  const { agent, clock, turns, seen, session } = createQueue();
  agent.script = async function* () {
    clock.skip(900);
    yield { type: 'intent', name: 'silence' };
  };
  turns.add(message('hi', { queuedAtMs: clock.now() }));
  await turns.idle();
  expect(seen.appended).toMatchObject([{ types: [], effects: { endTurn: { id: 'hi' }, canWait: true } }]);
  expect(seen.durations).toEqual([900]);
  const door = createDoor();
  session.storing = door.opened;
  for (const text of ['one', 'two']) turns.add(message(text));
  while (agent.turns.length < 3) await settled();
  await settled();
  expect([turns.isIdle, seen.appended.length]).toEqual([false, 1]);
  door.open();
  await turns.idle();
  expect(seen.appended.map(({ effects }) => effects?.endTurn?.id)).toEqual(['hi', 'one', 'two']);
  expect(turns.isIdle).toBe(true);
});

it('stores a language with the first text in it (7.1)', async () => {
  const { agent, turns, seen, session } = createQueue();
  agent.script = async function* () {
    yield { type: 'language', languageCode: 'de' };
    yield { type: 'text', text: 'Guten Tag.' };
  };
  turns.add(message('hi'));
  await turns.idle();
  const announced = seen.appended.filter(({ types }) => types.includes('LANGUAGE_CHANGED'));
  expect(announced.map(({ effects }) => effects)).toEqual([{ session: { language: 'de' } }]);
  expect(session.row.language).toBe('de');
});

it("stores the agent's state only when the turn changed it", async () => {
  const { agent, turns, seen, session } = createQueue({ agentState: { step: 1 } });
  turns.add(message('nothing new'));
  await turns.idle();
  expect(agent.turns[0]).toMatchObject({ state: { step: 1 }, contextVault: {} });
  expect(seen.appended.at(-1)?.effects?.session).toEqual({});
  agent.script = async function* (turn) {
    yield { type: 'state', set: { step: 2 } };
    yield* echoScript(turn);
  };
  turns.add(message('a step'));
  await turns.idle();
  expect(seen.appended.at(-1)?.effects?.session).toEqual({ agentState: { step: 2 } });
  expect(session.row.agentState).toEqual({ step: 2 });
});

it.each([{ agentState: 'no object' }, { agentState: ['a', 'list'] }, { agentState: null }])(
  'ignores a stored state of another shape ($agentState)',
  async ({ agentState }) => {
    const { agent, turns } = createQueue({ agentState });
    turns.add(message('hi'));
    await turns.idle();
    expect(agent.turns[0]?.state).toEqual({});
  },
);

it("passes the history and the page's context to the agent (MET-4)", async () => {
  const { agent, turns, say } = createQueue({ contextVault: { tier: 'gold' } });
  say(3, 'before');
  say(5, 'this one');
  say(6, 'after');
  turns.add(message('this one', { custom: { client_event_id: '1', local_id: '1', page: '/fares' } }));
  turns.add(message('plain', { inputSequence: 7, custom: { client_event_id: '2', local_id: '2' } }));
  turns.add({ ...EVENT });
  for (let turn = 0; turn < 3; turn += 1) {
    await turns.idle();
    await settled();
  }
  expect(agent.turns.map(({ history }) => history.length)).toEqual([1, 3, 3]);
  expect(agent.turns.map(({ pageContext }) => pageContext)).toEqual([
    { page: '/fares' },
    undefined,
    undefined,
  ]);
  expect(agent.turns.map(({ event }) => event?.name)).toEqual([undefined, undefined, 'payment']);
  expect(Object.keys(agent.turns[1] ?? {})).not.toContain('pageContext');
  expect(Object.keys(agent.turns[1] ?? {})).not.toContain('event');
  expect(agent.turns[0]).toMatchObject({ contextVault: { tier: 'gold' }, conversationId: 'CONV-1' });
});

it("starts waiting for an event before the agent's next text", async () => {
  const { agent, turns, seen, open } = createQueue();
  agent.script = async function* () {
    yield { type: 'wait_for_event', name: 'payment', eventId: 'event-1', timeoutMs: 1_000 };
    expect(open.mock.calls).toMatchObject([[{ eventId: 'event-1' }]]);
    yield { type: 'text', text: 'Pay with event-1.' };
  };
  turns.add(message('pay'));
  await turns.idle();
  expect(seen.results).toEqual(['answered']);
});

it('adds the turn to the conversation’s record with its end (CV-15)', async () => {
  const { turns, seen } = createQueue();
  turns.add(message('hi'));
  await turns.idle();
  turns.add(EVENT);
  await turns.idle();
  expect(seen.appended.map(({ effects }) => effects?.record)).toMatchObject([
    { id: 'CONV-1', language: 'en', turns: [{ kind: 'message', userInput: 'hi' }] },
    { id: 'CONV-1', language: 'en', turns: [{ kind: 'event', userInputAtMs: null }] },
  ]);
});

it('settles a wait in the commit that ends its turn, even a failed one', async () => {
  const { agent, turns, seen, settle } = createQueue();
  turns.add(EVENT);
  await turns.idle();
  expect(settle.mock.calls).toEqual([[EVENT.wait]]);
  expect(seen.appended.at(-1)?.effects?.also).toBeTypeOf('function');
  expect(seen.appended.at(-1)?.effects?.endTurn).toBeUndefined();
  agent.script = async function* () {
    yield await Promise.reject(new AgentError('unavailable', 'down', { retryable: true }));
  };
  turns.add(EVENT);
  await turns.idle();
  expect(settle.mock.calls).toEqual([[EVENT.wait], [EVENT.wait]]);
  expect(seen.appended.at(-1)).toMatchObject({ types: ['SYSTEM_MESSAGE'] });
  expect(seen.appended.at(-1)?.effects?.also).toBeTypeOf('function');
  expect(seen.failures).toEqual(['answer a turn: AgentError: down']);
});

it.each([
  {
    turn: GREETING,
    text: "Sorry, I'm unable to start a conversation right now. Please try again later.",
    status: 'none',
  },
  {
    turn: message('hi'),
    text: "Sorry, I'm having trouble responding right now. Please try again.",
    status: 'running',
  },
])('says so when the platform does not have the agent ($turn.kind)', async ({ turn, text, status }) => {
  const { turns, seen, session } = createQueue();
  session.agent = null;
  turns.add(turn);
  await turns.idle();
  expect(seen.appended).toMatchObject([{ types: ['SYSTEM_MESSAGE'], effects: { endTurn: { id: turn.id } } }]);
  expect(seen.appended[0]?.payloads[0]).toMatchObject({ message: text, missing_agent: 'ada' });
  expect(seen.failures[0]).toContain('The project\'s agent "ada" is not in the configuration.');
  expect([seen.results, session.row.conversationStatus]).toEqual([['failed'], status]);
});

it("starts a turn's follow-up in the same commit as its end", async () => {
  const { agent, turns, seen, types } = createQueue({ state: 'created' });
  turns.add(GREETING);
  await turns.idle();
  agent.script = async function* () {
    yield { type: 'text', text: 'One moment.' };
    yield { type: 'handoff', destination: 'desk', reason: 'POLICY', managed: 'server', data: {} };
  };
  turns.add(message('a person'));
  await turns.idle();
  expect(seen.handoffs).toMatchObject([
    {
      action: { destination: 'desk' },
      answer: [{ type: 'EVENT_TYPE_AGENT_MESSAGE' }],
      effects: { endTurn: { id: 'a person' }, record: { id: 'CONV-1', handoff: { reason: 'POLICY' } } },
    },
  ]);
  agent.script = async function* () {
    yield { type: 'end' };
  };
  turns.add(message('bye'));
  await turns.idle();
  expect(seen.ends).toMatchObject([{ effects: { endTurn: { id: 'bye' } } }]);
  // The handoff ended with AGENT_LEFT.
  agent.script = echoScript;
  turns.add({ ...GREETING, id: 'again' });
  await turns.idle();
  expect(types().filter((type) => type === 'AGENT_JOINED')).toHaveLength(2);
});

it("runs an answer's follow-up in order with the session's other commands", async () => {
  const { agent, turns, queue, seen } = createQueue();
  const door = createDoor();
  agent.script = async function* () {
    yield { type: 'end' };
  };
  const before = queue.run(() => door.opened);
  turns.add(message('bye'));
  await settled();
  expect(seen.ends).toEqual([]);
  // The user has ended the session meanwhile.
  const ended = queue.run(async () => turns.abort('ended'));
  door.open();
  await Promise.all([before, ended]);
  await turns.idle();
  expect(seen.ends).toHaveLength(1);
  const next = createDoor();
  const held = queue.run(() => next.opened);
  const again = queue.run(async () => turns.abort('ended'));
  turns.add(message('bye again'));
  for (let turn = 0; turn < 5; turn += 1) await settled();
  next.open();
  await Promise.all([held, again]);
  await turns.idle();
  expect(seen.ends).toHaveLength(1);
});

it('releases the session when storing fails, unless another node owns it', async () => {
  const { turns, seen, session } = createQueue();
  session.failure = new Error('the database is away');
  turns.add(message('hi'));
  await turns.idle();
  expect([seen.discarded, seen.results]).toEqual([[session.failure], ['aborted']]);
  session.failure = new SessionLossError('stale_owner', 'other');
  turns.add(message('hi again'));
  await turns.idle();
  expect([seen.discarded.length, seen.results]).toEqual([1, ['aborted', 'aborted']]);
});
