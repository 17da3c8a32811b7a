import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AgentError } from '../agents/index.ts';
import { createInProcessBus } from '../bus/index.ts';
import type { AppendEffects, Session, SessionPatch } from '../db/index.ts';
import type { EventDraft } from './answer-writer.ts';
import { ConversationHistory } from './conversation-history.ts';
import type { EventTurn } from './external-waits.ts';
import type { WaitingTurn } from './load-session.ts';
import { createMailbox } from './mailbox.ts';
import { DEFAULT_MESSAGING_LIMITS } from './messaging-limits.ts';
import type { SessionServices } from './session-services.ts';
import { SessionLossError, type SessionWriter } from './session-writer.ts';
import { createDoor, createScriptedAgent, echoScript } from './testing/scripted-agent.ts';
import { createSkippingClock } from './testing/skipping-clock.ts';
import { type TurnHost, TurnQueue } from './turn-queue.ts';

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

interface Appended {
  readonly types: readonly string[];
  readonly payloads: readonly unknown[];
  readonly effects: AppendEffects | undefined;
}

/** The turns of one session, whose log is a list. */
function createQueue(facts: Partial<Session> = {}) {
  const agent = createScriptedAgent();
  const clock = createSkippingClock();
  const mailbox = createMailbox();
  const seen = {
    appended: [] as Appended[],
    transients: [] as string[],
    results: [] as string[],
    durations: [] as number[],
    failures: [] as string[],
    lost: [] as unknown[],
    settled: [] as unknown[],
    opened: [] as unknown[],
    handoffs: [] as unknown[],
    ends: [] as unknown[],
  };
  const state = {
    facts: {
      id: 'session',
      streaming: false,
      conversationStatus: 'running',
      conversationId: 'CONV-1',
      agentState: null,
      contextVault: null,
      ...facts,
    } as Session,
    isHandedOff: false,
    hasAgent: true,
    failure: null as Error | null,
  };
  const note = (drafts: readonly EventDraft[], effects: AppendEffects | undefined): Appended => ({
    types: drafts.map(({ type }) => type.replace('EVENT_TYPE_', '')),
    payloads: drafts.map(({ payload }) => payload),
    effects,
  });
  const writer = {
    async append(drafts: readonly EventDraft[], effects?: AppendEffects) {
      if (state.failure !== null) throw state.failure;
      seen.appended.push(note(drafts, effects));
    },
    publishTransient: (type: string) => seen.transients.push(type.replace('EVENT_TYPE_', '')),
  } as unknown as SessionWriter;
  const history = new ConversationHistory();
  const host: TurnHost = {
    services: {
      clock,
      limits: DEFAULT_MESSAGING_LIMITS,
      bus: createInProcessBus(),
      observer: {
        failed: (what: string, error: unknown) => seen.failures.push(`${what}: ${String(error)}`),
        turnFinished: (result: string, durationMs: number) => {
          seen.results.push(result);
          seen.durations.push(durationMs);
        },
      },
    } as unknown as SessionServices,
    get facts() {
      return state.facts;
    },
    language: 'en',
    waits: {
      show: async () => [],
      settle: (wait: unknown) => seen.settled.push(wait),
      open: async (wait: unknown) => void seen.opened.push(wait),
    } as unknown as TurnHost['waits'],
    get isHandedOff() {
      return state.isHandedOff;
    },
    history: () => history,
    agent: () => (state.hasAgent ? agent : null),
    agentName: 'ada',
    writer: async () => writer,
    inOrder: (work) => mailbox.run(work),
    apply: (patch: SessionPatch) => {
      state.facts = { ...state.facts, ...(patch as Partial<Session>) };
    },
    beginHandoff: async (action, answer, effects) => void seen.handoffs.push({ action, answer, effects }),
    endNaturally: async (drafts, effects) => void seen.ends.push({ drafts, effects }),
    lose: (error) => seen.lost.push(error),
  };
  const turns = new TurnQueue(host);
  const types = (): readonly string[] => seen.appended.flatMap((each) => each.types);
  /** Adds a line to the history that the agent sees. */
  const say = (sequence: number, text: string): void =>
    history.apply({
      id: text,
      type: 'EVENT_TYPE_USER_MESSAGE',
      sequence,
      timestampMs: 0,
      payload: { text },
      custom: null,
    });
  return { agent, clock, mailbox, seen, state, turns, types, say };
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

it('waits while it is held, and for a conversation, but lets a greeting go first', async () => {
  const { agent, turns, state } = createQueue({ conversationStatus: 'none' });
  turns.add(message('early'));
  await settled();
  expect([agent.turns.length, turns.isIdle]).toEqual([0, true]);
  turns.isHeld = true;
  turns.add(GREETING);
  await settled();
  expect([agent.turns.length, turns.isIdle]).toEqual([0, false]);
  turns.isHeld = false;
  state.facts = { ...state.facts, conversationStatus: 'running' };
  turns.pump();
  await turns.idle();
  await settled();
  await turns.idle();
  expect(agent.turns.map(({ kind }) => kind)).toEqual(['greeting', 'message']);
});

it('leaves messages to a person in a hand-off, who gets them without the rest', async () => {
  const { agent, turns, state } = createQueue();
  state.isHandedOff = true;
  turns.add(message('for a person'));
  turns.add(EVENT);
  await settled();
  expect([agent.turns.length, turns.isIdle]).toEqual([0, true]);
  expect(turns.takeMessages().map(({ text }) => text)).toEqual(['for a person']);
  state.isHandedOff = false;
  turns.pump();
  await turns.idle();
  expect(agent.turns.map(({ kind }) => kind)).toEqual(['event']);
});

it('forgets what waits and takes the running turn away, whose end is not stored', async () => {
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
  expect([seen.appended, seen.results, seen.lost]).toEqual([[], ['aborted'], []]);
  expect(seen.durations).toEqual([300]);
  agent.script = echoScript;
  turns.add(message('third'));
  await turns.idle();
  expect(seen.results).toEqual(['aborted', 'answered']);
});

it('stores nothing more of an answer that was taken away', async () => {
  const { agent, turns, seen } = createQueue({ streaming: true });
  agent.script = async function* () {
    yield { type: 'text', text: 'said, but not stored' };
    turns.abort('released');
    await settled();
  };
  turns.add(message('hi'));
  await turns.idle();
  expect([seen.appended, seen.lost]).toEqual([[], []]);
});

it('announces the agent with a greeting, once, and that it thinks with every other turn', async () => {
  const { turns, seen, state, types } = createQueue({ state: 'created' });
  turns.add(GREETING);
  await turns.idle();
  expect(types()).toEqual(['AGENT_JOINED', 'AGENT_MESSAGE']);
  expect(seen.appended[0]?.effects).toEqual({ session: { state: 'active' } });
  expect(state.facts.state).toBe('active');
  expect(seen.transients).toEqual(['AGENT_THINKING']);
  turns.add({ ...GREETING, id: 'again' });
  await turns.idle();
  expect(types().filter((type) => type === 'AGENT_JOINED')).toHaveLength(1);
  turns.add(message('hi'));
  await turns.idle();
  expect(seen.transients).toEqual(['AGENT_THINKING', 'AGENT_THINKING', 'AGENT_THINKING']);
  turns.hasAgentJoined = false;
  turns.add({ ...GREETING, id: 'after a restart' });
  await turns.idle();
  expect(types().filter((type) => type === 'AGENT_JOINED')).toHaveLength(2);
});

it('puts a turn on record with the first part of its answer, and its end with the last', async () => {
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
  expect(seen.appended.map(({ effects }) => effects?.turn)).toMatchObject([
    { id: 'hi', state: 'running', messageId: expect.stringMatching(/^msg_/), startedAtMs: startMs + 100 },
    undefined,
    undefined,
    { id: 'hi', state: 'done', startedAtMs: startMs, finishedAtMs: startMs + 300, latencyMs: 600 },
  ]);
});

it('measures a turn in which nothing is said to its end', async () => {
  const { agent, clock, turns, seen } = createQueue();
  agent.script = async function* () {
    clock.skip(900);
    yield { type: 'intent', name: 'silence' };
  };
  turns.add(message('hi', { queuedAtMs: clock.now() }));
  await turns.idle();
  expect(seen.appended.at(-1)?.effects?.turn).toMatchObject({ latencyMs: 900 });
  expect(seen.durations).toEqual([900]);
});

it('stores a language with the first text in it (7.1)', async () => {
  const { agent, turns, seen, state } = createQueue();
  agent.script = async function* () {
    yield { type: 'language', languageCode: 'de' };
    yield { type: 'text', text: 'Guten Tag.' };
  };
  turns.add(message('hi'));
  await turns.idle();
  const announced = seen.appended.filter(({ types }) => types.includes('LANGUAGE_CHANGED'));
  expect(announced.map(({ effects }) => effects)).toEqual([{ session: { language: 'de' } }]);
  expect(state.facts.language).toBe('de');
});

it('stores the state of an agent only when the turn has changed it', async () => {
  const { agent, turns, seen, state } = createQueue({ agentState: { step: 1 } });
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
  expect(state.facts.agentState).toEqual({ step: 2 });
});

it.each([{ agentState: 'no object' }, { agentState: ['a', 'list'] }, { agentState: null }])(
  'takes a stored state of another shape for none ($agentState)',
  async ({ agentState }) => {
    const { agent, turns } = createQueue({ agentState });
    turns.add(message('hi'));
    await turns.idle();
    expect(agent.turns[0]?.state).toEqual({});
  },
);

it('shows the agent what was said before, and what the page says of itself (MET-4)', async () => {
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

it('begins to wait for what the agent asks for, before it says so', async () => {
  const { agent, turns, seen } = createQueue();
  agent.script = async function* () {
    yield { type: 'wait_for_event', name: 'payment', eventId: 'event-1', timeoutMs: 1_000 };
    expect(seen.opened).toMatchObject([{ eventId: 'event-1' }]);
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

it('settles a wait in the commit that ends its turn, also one that failed', async () => {
  const { agent, turns, seen } = createQueue();
  turns.add(EVENT);
  await turns.idle();
  expect(seen.settled).toEqual([EVENT.wait]);
  expect(seen.appended.at(-1)?.effects?.also).toBeTypeOf('function');
  expect(seen.appended.at(-1)?.effects?.turn).toBeUndefined();
  agent.script = async function* () {
    yield await Promise.reject(new AgentError('unavailable', 'down', { retryable: true }));
  };
  turns.add(EVENT);
  await turns.idle();
  expect(seen.settled).toEqual([EVENT.wait, EVENT.wait]);
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
  const { turns, seen, state } = createQueue();
  state.hasAgent = false;
  turns.add(turn);
  await turns.idle();
  expect(seen.appended).toMatchObject([
    { types: ['SYSTEM_MESSAGE'], effects: { turn: { state: 'failed' } } },
  ]);
  expect(seen.appended[0]?.payloads[0]).toMatchObject({ message: text, missing_agent: 'ada' });
  expect(seen.failures[0]).toContain('The project\'s agent "ada" is not in the configuration.');
  expect([seen.results, state.facts.conversationStatus]).toEqual([['failed'], status]);
});

it('hands the session over to what follows from a turn, with its end in the same commit', async () => {
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
      effects: { turn: { state: 'done' }, record: { id: 'CONV-1', handoff: { reason: 'POLICY' } } },
    },
  ]);
  agent.script = async function* () {
    yield { type: 'end' };
  };
  turns.add(message('bye'));
  await turns.idle();
  expect(seen.ends).toMatchObject([{ effects: { turn: { id: 'bye', state: 'done' } } }]);
  // The hand-off ended with AGENT_LEFT.
  agent.script = echoScript;
  turns.add({ ...GREETING, id: 'again' });
  await turns.idle();
  expect(types().filter((type) => type === 'AGENT_JOINED')).toHaveLength(2);
});

it('carries out what ends an answer in its place among what the session accepts', async () => {
  const { agent, turns, mailbox, seen } = createQueue();
  const door = createDoor();
  agent.script = async function* () {
    yield { type: 'end' };
  };
  const before = mailbox.run(() => door.opened);
  turns.add(message('bye'));
  await settled();
  expect(seen.ends).toEqual([]);
  // The user has ended the session meanwhile.
  const ended = mailbox.run(async () => turns.abort('ended'));
  door.open();
  await Promise.all([before, ended]);
  await turns.idle();
  expect(seen.ends).toHaveLength(1);
  const next = createDoor();
  const held = mailbox.run(() => next.opened);
  const again = mailbox.run(async () => turns.abort('ended'));
  turns.add(message('bye again'));
  for (let turn = 0; turn < 5; turn += 1) await settled();
  next.open();
  await Promise.all([held, again]);
  await turns.idle();
  expect(seen.ends).toHaveLength(1);
});

it('lets go of the session when storing fails, unless the session is another node’s by now', async () => {
  const { turns, seen, state } = createQueue();
  state.failure = new Error('the database is away');
  turns.add(message('hi'));
  await turns.idle();
  expect([seen.lost, seen.results]).toEqual([[state.failure], ['aborted']]);
  state.failure = new SessionLossError('stale_owner', 'other');
  turns.add(message('hi again'));
  await turns.idle();
  expect([seen.lost.length, seen.results]).toEqual([1, ['aborted', 'aborted']]);
});
