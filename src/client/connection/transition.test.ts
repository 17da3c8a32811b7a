import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectionEvent, ConnectionPhase, ConnectionState, Moment } from './connection-state.ts';
import { INITIAL_CONNECTION, transition } from './transition.ts';

const NOW = 1_000_000;
const online: Moment = { nowMs: NOW, random: 0.5, isOnline: true };
const offline: Moment = { ...online, isOnline: false };

const reconnecting = (step: 'waiting' | 'session' | 'socket' | 'offline'): ConnectionPhase => ({
  status: 'reconnecting',
  step,
  attempt: 2,
  nextAttemptAtMs: step === 'waiting' ? NOW + 1_000 : null,
});
const phases = {
  idle: { status: 'idle' },
  'connecting/session': { status: 'connecting', step: 'session' },
  'connecting/socket': { status: 'connecting', step: 'socket' },
  'connecting/offline': { status: 'connecting', step: 'offline' },
  'reconnecting/session': reconnecting('session'),
  'reconnecting/socket': reconnecting('socket'),
  'reconnecting/waiting': reconnecting('waiting'),
  'reconnecting/offline': reconnecting('offline'),
  open: { status: 'open' },
  closing: { status: 'closing' },
  closed: { status: 'closed' },
  'failed/passing': { status: 'failed', reason: 'service_unavailable' },
  'failed/final': { status: 'failed', reason: 'connector_rejected' },
} as const satisfies Record<string, ConnectionPhase>;
type PhaseName = keyof typeof phases;

const events = {
  connect: { type: 'connect' },
  disconnect: { type: 'disconnect', isImmediate: false },
  'disconnect now': { type: 'disconnect', isImmediate: true },
  'session ready': { type: 'session_ready' },
  'session failed for good': {
    type: 'session_failed',
    reason: 'origin_not_allowed',
    mayComeBack: false,
    keepsPair: true,
  },
  'session failed, pair kept': {
    type: 'session_failed',
    reason: 'service_unavailable',
    mayComeBack: true,
    keepsPair: true,
  },
  'session failed, no pair': {
    type: 'session_failed',
    reason: 'service_unavailable',
    mayComeBack: true,
    keepsPair: false,
  },
  opened: { type: 'socket_opened' },
  'closed 1000': { type: 'socket_closed', code: 1000 },
  'closed 1006': { type: 'socket_closed', code: 1006 },
  'closed 4001': { type: 'socket_closed', code: 4001 },
  'closed 4003': { type: 'socket_closed', code: 4003 },
  'nobody there': { type: 'unreachable' },
  broken: { type: 'socket_broken' },
  aged: { type: 'socket_aged' },
  rejected: { type: 'session_rejected' },
  timer: { type: 'timer' },
  online: { type: 'online' },
  visible: { type: 'visible' },
  offline: { type: 'offline' },
  budget: { type: 'budget_known', maxAttempts: 3 },
} as const satisfies Record<string, ConnectionEvent>;
type EventName = keyof typeof events;

const stateOf = (
  phase: ConnectionPhase,
  memory: Partial<ConnectionState['memory']> = {},
): ConnectionState => ({
  phase,
  memory: { ...INITIAL_CONNECTION.memory, ...memory },
});

/** `phase | effects` in short, for tables that can be read. */
function show(state: ConnectionState, event: ConnectionEvent, at: Moment = online): string {
  const { state: next, effects } = transition(state, event, at);
  const { phase } = next;
  const name =
    phase.status === 'failed'
      ? `failed ${phase.reason}`
      : 'step' in phase
        ? `${phase.status}/${phase.step}`
        : phase.status;
  const said = effects.map((effect) => {
    if (effect.type === 'set_timer') return `timer ${effect.delayMs}`;
    if (effect.type === 'obtain_session') return effect.request;
    if (effect.type === 'drop_socket') return `drop ${effect.code}`;
    if (effect.type === 'close_socket') return `close ${effect.code}`;
    return effect.type.replace('_', ' ');
  });
  return [name, ...said].join(', ');
}

const START = 'connecting/session, clear timer, start';
const AGAIN = 'reconnecting/session, clear timer, start';
const RENEW = 'reconnecting/session, clear timer, renew';
const WAIT = 'reconnecting/waiting, timer 1000';
const CLOSED = 'closed, clear timer, drop 1000';
const ENDED = 'closed, clear timer, report end';

/** Every cell that does something; all other cells leave phase and world as they are. */
const cells: Partial<Record<PhaseName, Partial<Record<EventName, string>>>> = {
  idle: { connect: START, disconnect: CLOSED, 'disconnect now': CLOSED },
  'connecting/session': {
    connect: START,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    'session ready': 'connecting/socket, open socket',
    'session failed for good': 'failed origin_not_allowed, clear timer',
    'session failed, pair kept': WAIT,
    'session failed, no pair': 'failed service_unavailable, clear timer',
  },
  'connecting/socket': {
    connect: 'connecting/session, drop 4000, clear timer, start',
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    opened: 'open, clear timer',
    'closed 1000': ENDED,
    'closed 1006': WAIT,
    'closed 4001': RENEW,
    'closed 4003': 'reconnecting/waiting, timer 10000',
    'nobody there': WAIT,
  },
  'connecting/offline': {
    connect: START,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    timer: START,
    online: START,
    visible: START,
  },
  'reconnecting/session': {
    connect: AGAIN,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    'session ready': 'reconnecting/socket, open socket',
    'session failed for good': 'failed origin_not_allowed, clear timer',
    'session failed, pair kept': WAIT,
    'session failed, no pair': 'failed service_unavailable, clear timer',
  },
  'reconnecting/socket': {
    connect: 'reconnecting/session, drop 4000, clear timer, start',
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    opened: 'open, clear timer',
    'closed 1000': ENDED,
    'closed 1006': WAIT,
    'closed 4001': RENEW,
    'closed 4003': 'reconnecting/waiting, timer 10000',
    'nobody there': WAIT,
  },
  'reconnecting/waiting': {
    connect: AGAIN,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    timer: AGAIN,
    online: AGAIN,
    visible: AGAIN,
    offline: 'reconnecting/waiting, timer 1000',
  },
  'reconnecting/offline': {
    connect: AGAIN,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    timer: AGAIN,
    online: AGAIN,
    visible: AGAIN,
  },
  open: {
    connect: 'reconnecting/session, drop 4000, clear timer, start',
    disconnect: 'closing, close 1000, timer 2000',
    'disconnect now': CLOSED,
    'closed 1000': ENDED,
    'closed 1006': WAIT,
    'closed 4001': RENEW,
    'closed 4003': 'reconnecting/waiting, timer 10000',
    broken: 'reconnecting/waiting, drop 4002, timer 1000',
    aged: 'reconnecting/session, drop 4000, clear timer, start',
    rejected: 'reconnecting/session, drop 4002, clear timer, renew',
  },
  closing: {
    'disconnect now': CLOSED,
    'closed 1000': 'closed, clear timer',
    'closed 1006': 'closed, clear timer',
    'closed 4001': 'closed, clear timer',
    'closed 4003': 'closed, clear timer',
    timer: 'closed, drop 1000',
  },
  closed: { connect: START },
  'failed/passing': {
    connect: START,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    online: START,
    visible: START,
  },
  'failed/final': { connect: START, disconnect: CLOSED, 'disconnect now': CLOSED },
};
// Without a network these differ: the next block holds them.
const offlineEvents: ReadonlySet<string> = new Set(['offline']);

const allCells = (Object.keys(phases) as PhaseName[]).flatMap((phase) =>
  (Object.keys(events) as EventName[])
    .filter((event) => !offlineEvents.has(event))
    .map((event) => ({ phase, event, expected: cells[phase]?.[event] ?? null })),
);

describe('the connection table, with a network', () => {
  it.each(allCells)('$phase × $event', ({ phase, event, expected }) => {
    const before = stateOf(phases[phase]);
    if (expected !== null) {
      expect(show(before, events[event])).toBe(expected);
      return;
    }
    const { state, effects } = transition(before, events[event], online);
    expect({ phase: state.phase, effects }).toEqual({ phase: before.phase, effects: [] });
  });
});

const POLL = 'reconnecting/offline, timer 3000';
const START_POLL = 'connecting/offline, timer 3000';
const offlineCells: readonly [PhaseName, EventName, string][] = [
  ['idle', 'connect', START_POLL],
  ['connecting/offline', 'timer', START_POLL],
  ['connecting/session', 'session failed, no pair', START_POLL],
  ['connecting/session', 'session ready', START_POLL],
  ['connecting/socket', 'opened', 'reconnecting/offline, drop 4002, timer 3000'],
  ['reconnecting/session', 'session ready', POLL],
  ['reconnecting/socket', 'opened', 'reconnecting/offline, drop 4002, timer 3000'],
  ['connecting/session', 'offline', 'connecting/session'],
  ['connecting/socket', 'offline', 'connecting/socket'],
  ['reconnecting/socket', 'offline', 'reconnecting/socket'],
  ['reconnecting/waiting', 'offline', POLL],
  ['reconnecting/waiting', 'timer', POLL],
  ['reconnecting/offline', 'timer', POLL],
  ['reconnecting/offline', 'visible', 'reconnecting/offline'],
  ['reconnecting/session', 'session failed, pair kept', POLL],
  ['connecting/socket', 'closed 1006', POLL],
  ['open', 'offline', 'reconnecting/offline, drop 4002, timer 3000'],
  ['open', 'closed 1006', POLL],
  ['open', 'aged', 'reconnecting/offline, drop 4000, timer 3000'],
  ['closed', 'offline', 'closed'],
  ['failed/passing', 'visible', 'failed service_unavailable'],
];

describe('the connection table, without a network', () => {
  it.each(offlineCells)('%s × %s', (phase, event, expected) => {
    expect(show(stateOf(phases[phase]), events[event], offline)).toBe(expected);
  });
});

describe('backoff and budget', () => {
  const close: ConnectionEvent = { type: 'socket_closed', code: 1006 };

  it.each([
    [0, 1_000],
    [1, 2_000],
    [4, 16_000],
    [5, 30_000],
    [9, 30_000],
  ])('waits after %i attempts for %i ms, give or take a fifth', (attempts, delayMs) => {
    for (const [random, factor] of [
      [0, 0.8],
      [0.5, 1],
      [0.999999, 1.2],
    ] as const) {
      const { effects } = transition(stateOf({ status: 'open' }, { attempts, budget: 0 }), close, {
        ...online,
        random,
      });
      const timer = effects.find(({ type }) => type === 'set_timer');
      expect(timer).toMatchObject({ delayMs: Math.round(delayMs * factor) });
    }
  });

  it('fails when the budget is spent, and counts attempts without skips', () => {
    let state = stateOf({ status: 'open' }, { budget: 3 });
    const attempts: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      state = transition(state, close, online).state;
      attempts.push(state.phase.status === 'reconnecting' ? state.phase.attempt : state.phase);
      // Each attempt fails with a code that is no refused handshake.
      state = transition(state, { type: 'timer' }, online).state;
      state = transition(state, { type: 'session_ready' }, online).state;
      state = { ...state, memory: { ...state.memory, handshakeFailures: 0 } };
    }
    expect(attempts).toEqual([1, 2, 3, { status: 'failed', reason: 'reconnect_budget_spent' }]);
  });

  it('never runs out of an unlimited budget', () => {
    expect(show(stateOf({ status: 'open' }, { attempts: 1_000, budget: 0 }), close)).toBe(
      'reconnecting/waiting, timer 30000',
    );
  });

  it('starts counting again once a socket opens', () => {
    const { state } = transition(
      stateOf(phases['reconnecting/socket'], { attempts: 4, handshakeFailures: 2, rejections: 2 }),
      { type: 'socket_opened' },
      online,
    );
    expect(state.memory).toMatchObject({ attempts: 0, handshakeFailures: 0, rejections: 0 });
  });

  it('takes the budget from the platform and the default back', () => {
    const told = transition(INITIAL_CONNECTION, { type: 'budget_known', maxAttempts: 5 }, online).state;
    expect(told.memory.budget).toBe(5);
    expect(transition(told, { type: 'budget_known', maxAttempts: null }, online).state.memory.budget).toBe(
      10,
    );
  });
});

describe('refused handshakes and rejected sessions', () => {
  const refuse: ConnectionEvent = { type: 'socket_closed', code: 1006 };

  it('makes two ordinary attempts before it replaces the session', () => {
    const socket = phases['connecting/socket'];
    expect(show(stateOf(socket), refuse)).toBe(WAIT);
    expect(show(stateOf(socket, { handshakeFailures: 1, attempts: 1 }), refuse)).toBe(
      'reconnecting/waiting, timer 2000',
    );
    expect(show(stateOf(socket, { handshakeFailures: 2, attempts: 2 }), refuse)).toBe(
      'reconnecting/session, clear timer, replace',
    );
  });

  it('takes an outage for no evidence against the session', () => {
    const socket = phases['reconnecting/socket'];
    const missed = transition(
      stateOf(socket, { handshakeFailures: 2, attempts: 2 }),
      { type: 'unreachable' },
      online,
    );
    expect(missed.state.phase).toMatchObject({ status: 'reconnecting', step: 'waiting', attempt: 3 });
    expect(missed.state.memory.handshakeFailures).toBe(0);
  });

  it('gives up after three rejected sessions in a row', () => {
    const rejected: ConnectionEvent = { type: 'socket_closed', code: 4001 };
    const socket = phases['reconnecting/socket'];
    expect(show(stateOf(socket, { rejections: 2, rejectedAtMs: NOW - 1_000 }), rejected)).toBe(RENEW);
    expect(show(stateOf(socket, { rejections: 3, rejectedAtMs: NOW - 1_000 }), rejected)).toBe(
      'failed session_expired, clear timer',
    );
  });

  it('counts rejections within 300 ms once', () => {
    const rejected: ConnectionEvent = { type: 'socket_closed', code: 4001 };
    const burst = transition(
      stateOf(phases['reconnecting/socket'], { rejections: 3, rejectedAtMs: NOW - 299 }),
      rejected,
      online,
    );
    expect(burst.state.memory.rejections).toBe(3);
    expect(burst.state.phase.status).toBe('reconnecting');
  });

  it('does not count a try that got no new session', () => {
    const failed = transition(
      stateOf(phases['reconnecting/session'], { rejections: 2 }),
      events['session failed, pair kept'],
      online,
    );
    expect(failed.state.memory.rejections).toBe(1);
  });

  it('asks for a new session when the visitor tries again after an expired one', () => {
    const expired = stateOf({ status: 'failed', reason: 'session_expired' });
    expect(show(expired, { type: 'connect' })).toBe('connecting/session, clear timer, renew');
  });

  it('does not let a 4000 leave it deaf', () => {
    expect(show(stateOf({ status: 'open' }), { type: 'socket_closed', code: 4000 })).toBe(WAIT);
  });
});

describe('any history of events', () => {
  const event = fc.oneof(
    fc.constantFrom<ConnectionEvent>(...Object.values(events)),
    fc.integer({ min: 1000, max: 4999 }).map((code): ConnectionEvent => ({ type: 'socket_closed', code })),
  );
  const history = fc.array(
    fc.record({
      event,
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
      isOnline: fc.boolean(),
      waitMs: fc.nat(60_000),
    }),
    { maxLength: 60 },
  );

  it('always leaves something that can go on: a timer, a request, a socket, or a final state', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let state = INITIAL_CONNECTION;
        let hasTimer = false;
        let nowMs = 0;
        for (const { event: next, random, isOnline, waitMs } of steps) {
          nowMs += waitMs;
          if (next.type === 'timer') hasTimer = false;
          const step = transition(state, next, { nowMs, random, isOnline });
          state = step.state;
          for (const { type } of step.effects) {
            if (type === 'set_timer') hasTimer = true;
            if (type === 'clear_timer') hasTimer = false;
          }
          const { phase } = state;
          const needsTimer =
            phase.status === 'closing' ||
            ('step' in phase && (phase.step === 'waiting' || phase.step === 'offline'));
          // A stray timer event is the only way to lose one: the machine then has to have set another.
          if (needsTimer && next.type !== 'timer') expect(hasTimer).toBe(true);
          if (phase.status === 'reconnecting') expect(phase.attempt).toBeGreaterThanOrEqual(1);
          if (state.memory.budget > 0) expect(state.memory.attempts).toBeLessThanOrEqual(10);
          expect(state.memory.rejections).toBeLessThanOrEqual(3);
        }
      }),
    );
  });

  it('opens a socket only with a pair just obtained', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let state = INITIAL_CONNECTION;
        for (const { event: next, random, isOnline } of steps) {
          const step = transition(state, next, { nowMs: 0, random, isOnline });
          const opens = step.effects.some(({ type }) => type === 'open_socket');
          expect(opens && next.type !== 'session_ready').toBe(false);
          state = step.state;
        }
      }),
    );
  });
});
