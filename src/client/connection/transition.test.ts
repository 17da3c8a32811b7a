import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FailureReason } from '../chat-state.ts';
import type { ConnectionEvent, ConnectionState, TransitionContext } from './connection-state.ts';
import { INITIAL_CONNECTION, transition } from './transition.ts';

const NOW = 1_000_000;
const online: TransitionContext = { nowMs: NOW, random: 0.5, isOnline: true, budget: 10 };
const offline: TransitionContext = { ...online, isOnline: false };

const stateOf = (more: Partial<ConnectionState>): ConnectionState => ({ ...INITIAL_CONNECTION, ...more });

const connecting = (step: 'session' | 'socket' | 'offline'): ConnectionState =>
  stateOf({ step, shown: { status: 'connecting', offline: step === 'offline' } });
const reconnecting = (step: 'waiting' | 'session' | 'socket' | 'offline'): ConnectionState =>
  stateOf({
    step,
    shown: {
      status: 'reconnecting',
      attempt: 2,
      nextAttemptAtMs: step === 'waiting' ? NOW + 1_000 : null,
      offline: step === 'offline',
    },
  });
const failed = (reason: FailureReason): ConnectionState =>
  stateOf({ step: 'failed', shown: { status: 'failed', reason } });
const open = stateOf({ step: 'open', shown: { status: 'open' } });
const phases = {
  idle: INITIAL_CONNECTION,
  'connecting/session': connecting('session'),
  'connecting/socket': connecting('socket'),
  'connecting/offline': connecting('offline'),
  'reconnecting/session': reconnecting('session'),
  'reconnecting/socket': reconnecting('socket'),
  'reconnecting/waiting': reconnecting('waiting'),
  'reconnecting/offline': reconnecting('offline'),
  open,
  closing: stateOf({ step: 'closing', shown: { status: 'closing' } }),
  closed: stateOf({ step: 'closed', shown: { status: 'closed' } }),
  'failed/passing': failed('service_unavailable'),
  'failed/final': failed('connector_rejected'),
} as const;
type PhaseName = keyof typeof phases;

const events = {
  connect: { type: 'connect' },
  disconnect: { type: 'disconnect', isImmediate: false },
  'disconnect now': { type: 'disconnect', isImmediate: true },
  'session ready': { type: 'session_ready' },
  'session failed for good': {
    type: 'session_failed',
    reason: 'origin_not_allowed',
    isTemporary: false,
    hasCredentials: true,
  },
  'session failed, pair kept': {
    type: 'session_failed',
    reason: 'service_unavailable',
    isTemporary: true,
    hasCredentials: true,
  },
  'session failed, no pair': {
    type: 'session_failed',
    reason: 'service_unavailable',
    isTemporary: true,
    hasCredentials: false,
  },
  opened: { type: 'socket_opened' },
  'closed 1000': { type: 'socket_closed', code: 1000 },
  'closed 1006': { type: 'socket_closed', code: 1006 },
  'closed 4001': { type: 'socket_closed', code: 4001 },
  'closed 4003': { type: 'socket_closed', code: 4003 },
  timer: { type: 'timer' },
  woke: { type: 'woke' },
  offline: { type: 'offline' },
} as const satisfies Record<string, ConnectionEvent>;
type EventName = keyof typeof events;

/** Step, shown status, timer and source of credentials, abbreviated for readable tables. */
function show(state: ConnectionState, event: ConnectionEvent, at: TransitionContext = online): string {
  const next = transition(state, event, at);
  const { step, shown, delayMs, request } = next;
  const name =
    shown.status === 'failed'
      ? `failed ${shown.reason}`
      : step === shown.status
        ? step
        : `${shown.status}/${step}`;
  if ('offline' in shown) expect(shown.offline).toBe(step === 'offline');
  const timer = delayMs > 0 && next !== state ? [`timer ${delayMs}`] : [];
  return [name, ...timer, ...(step === 'session' && next !== state ? [request] : [])].join(', ');
}

const START = 'connecting/session, start';
const AGAIN = 'reconnecting/session, start';
const RENEW = 'reconnecting/session, renew';
const WAIT = 'reconnecting/waiting, timer 1000';
const CLOSED = 'closed';
const OPEN = 'open, timer 7200000';

/** Cells with an effect; all others leave phase and environment unchanged. */
const cells: Partial<Record<PhaseName, Partial<Record<EventName, string>>>> = {
  idle: { connect: START, disconnect: CLOSED, 'disconnect now': CLOSED },
  'connecting/session': {
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    'session ready': 'connecting/socket, timer 15000',
    'session failed for good': 'failed origin_not_allowed',
    'session failed, pair kept': WAIT,
    'session failed, no pair': 'failed service_unavailable',
  },
  'connecting/socket': {
    connect: START,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    opened: OPEN,
    'closed 1000': CLOSED,
    'closed 1006': WAIT,
    'closed 4001': RENEW,
    'closed 4003': 'reconnecting/waiting, timer 10000',
    timer: WAIT,
  },
  'connecting/offline': {
    connect: START,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    timer: START,
    woke: START,
  },
  'reconnecting/session': {
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    'session ready': 'reconnecting/socket, timer 15000',
    'session failed for good': 'failed origin_not_allowed',
    'session failed, pair kept': WAIT,
    'session failed, no pair': 'failed service_unavailable',
  },
  'reconnecting/socket': {
    connect: AGAIN,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    opened: OPEN,
    'closed 1000': CLOSED,
    'closed 1006': WAIT,
    'closed 4001': RENEW,
    'closed 4003': 'reconnecting/waiting, timer 10000',
    timer: WAIT,
  },
  'reconnecting/waiting': {
    connect: AGAIN,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    timer: AGAIN,
    woke: AGAIN,
    offline: 'reconnecting/waiting, timer 1000',
  },
  'reconnecting/offline': {
    connect: AGAIN,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    timer: AGAIN,
    woke: AGAIN,
  },
  open: {
    connect: AGAIN,
    disconnect: 'closing, timer 2000',
    'disconnect now': CLOSED,
    'closed 1000': CLOSED,
    'closed 1006': WAIT,
    'closed 4001': RENEW,
    'closed 4003': 'reconnecting/waiting, timer 10000',
    timer: AGAIN,
  },
  closing: {
    'disconnect now': CLOSED,
    'closed 1000': CLOSED,
    'closed 1006': CLOSED,
    'closed 4001': CLOSED,
    'closed 4003': CLOSED,
    timer: CLOSED,
  },
  closed: { connect: START },
  'failed/passing': {
    connect: START,
    disconnect: CLOSED,
    'disconnect now': CLOSED,
    woke: START,
  },
  'failed/final': { connect: START, disconnect: CLOSED, 'disconnect now': CLOSED },
};
// These differ without a network; see the next block.
const offlineEvents: ReadonlySet<string> = new Set(['offline']);

const allCells = (Object.keys(phases) as PhaseName[]).flatMap((phase) =>
  (Object.keys(events) as EventName[])
    .filter((event) => !offlineEvents.has(event))
    .map((event) => ({ phase, event, expected: cells[phase]?.[event] ?? null })),
);

describe('the connection table, with a network', () => {
  it.each(allCells)(
    'a connection with a network moves from $phase at $event as the table says',
    ({ phase, event, expected }) => {
      const before = phases[phase];
      if (expected === null) expect(transition(before, events[event], online)).toBe(before);
      else expect(show(before, events[event])).toBe(expected);
    },
  );
});

const POLL = 'reconnecting/offline, timer 3000';
const START_POLL = 'connecting/offline, timer 3000';
const offlineCells: readonly [PhaseName, EventName, string][] = [
  ['idle', 'connect', START_POLL],
  ['connecting/offline', 'timer', START_POLL],
  ['connecting/session', 'session failed, no pair', START_POLL],
  ['connecting/session', 'session ready', START_POLL],
  ['connecting/socket', 'opened', 'reconnecting/offline, timer 3000'],
  ['reconnecting/session', 'session ready', POLL],
  ['reconnecting/socket', 'opened', 'reconnecting/offline, timer 3000'],
  ['connecting/session', 'offline', 'connecting/session'],
  ['connecting/socket', 'offline', 'connecting/socket'],
  ['reconnecting/socket', 'offline', 'reconnecting/socket'],
  ['reconnecting/waiting', 'offline', POLL],
  ['reconnecting/waiting', 'timer', POLL],
  ['reconnecting/offline', 'timer', POLL],
  ['reconnecting/offline', 'woke', 'reconnecting/offline'],
  ['reconnecting/session', 'session failed, pair kept', POLL],
  ['connecting/socket', 'closed 1006', POLL],
  ['open', 'offline', 'reconnecting/offline, timer 3000'],
  ['open', 'closed 1006', POLL],
  ['open', 'timer', 'reconnecting/offline, timer 3000'],
  ['closed', 'offline', 'closed'],
  ['failed/passing', 'woke', 'failed service_unavailable'],
];

describe('the connection table, without a network', () => {
  it.each(offlineCells)(
    'a connection without a network moves from %s at %s as the table says',
    (phase, event, expected) => {
      expect(show(phases[phase], events[event], offline)).toBe(expected);
    },
  );
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
      const next = transition({ ...open, attempts }, close, { ...online, budget: 0, random });
      expect(next.delayMs).toBe(Math.round(delayMs * factor));
      expect(next.shown).toMatchObject({ nextAttemptAtMs: NOW + next.delayMs });
    }
  });

  it('fails when the budget is exhausted, and counts attempts without gaps', () => {
    const at = { ...online, budget: 3 };
    let state = open;
    const attempts: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      state = transition(state, close, at);
      attempts.push(state.shown.status === 'reconnecting' ? state.shown.attempt : state.shown);
      // Each attempt fails with a code other than a refused handshake.
      state = transition(state, { type: 'timer' }, at);
      state = transition(state, { type: 'session_ready' }, at);
      state = { ...state, handshakeFailures: 0 };
    }
    expect(attempts).toEqual([1, 2, 3, { status: 'failed', reason: 'reconnect_budget_spent' }]);
  });

  it('never exhausts an unlimited budget', () => {
    expect(show({ ...open, attempts: 1_000 }, close, { ...online, budget: 0 })).toBe(
      'reconnecting/waiting, timer 30000',
    );
  });

  it.each(['timer', 'woke'] as const)('starts counting again when the network is back: %s', (type) => {
    const found = transition({ ...phases['reconnecting/offline'], attempts: 5 }, { type }, online);
    expect([found.step, found.attempts]).toEqual(['session', 0]);
  });

  it('resets the attempts once a socket opens', () => {
    const before = { ...phases['reconnecting/socket'], attempts: 4, handshakeFailures: 2, rejections: 2 };
    expect(transition(before, { type: 'socket_opened' }, online)).toMatchObject({
      attempts: 0,
      handshakeFailures: 0,
      rejections: 0,
    });
  });
});

describe('refused handshakes and rejected sessions', () => {
  const refuse: ConnectionEvent = { type: 'socket_closed', code: 1006 };
  const rejected: ConnectionEvent = { type: 'socket_closed', code: 4001 };
  const socket = phases['reconnecting/socket'];

  it('makes two ordinary attempts before it replaces the session', () => {
    const first = phases['connecting/socket'];
    expect(show(first, refuse)).toBe(WAIT);
    expect(show({ ...first, handshakeFailures: 1, attempts: 1 }, refuse)).toBe(
      'reconnecting/waiting, timer 2000',
    );
    expect(show({ ...first, handshakeFailures: 2, attempts: 2 }, refuse)).toBe(
      'reconnecting/session, replace',
    );
  });

  it('does not count a close as a refused handshake, however often open sockets are lost', () => {
    const lost = transition(open, { type: 'socket_closed', code: 1006 }, online);
    const replaced = transition(phases['connecting/socket'], { type: 'socket_closed', code: 4000 }, online);
    expect([lost.handshakeFailures, replaced.handshakeFailures]).toEqual([0, 0]);
  });

  it('counts a handshake without a response as refused', () => {
    expect(show({ ...socket, handshakeFailures: 2, attempts: 2 }, { type: 'timer' })).toBe(
      'reconnecting/session, replace',
    );
  });

  it('does not count a handshake that fails offline as refused', () => {
    const lost = transition({ ...socket, handshakeFailures: 2, attempts: 2 }, refuse, offline);
    expect([lost.step, lost.handshakeFailures]).toEqual(['offline', 2]);
  });

  it('does not count an outage against the session', () => {
    const missed = transition(
      { ...phases['reconnecting/session'], handshakeFailures: 2, attempts: 2 },
      events['session failed, pair kept'],
      online,
    );
    expect(missed.step).toBe('waiting');
    expect(missed.shown).toMatchObject({ status: 'reconnecting', attempt: 3 });
    expect(missed.handshakeFailures).toBe(0);
  });

  it('fails after three rejected sessions in a row', () => {
    expect(show({ ...socket, rejections: 2, rejectedAtMs: NOW - 1_000 }, rejected)).toBe(RENEW);
    expect(show({ ...socket, rejections: 3, rejectedAtMs: NOW - 1_000 }, rejected)).toBe(
      'failed session_expired',
    );
  });

  it('counts rejections within 300 ms once', () => {
    const burst = transition({ ...socket, rejections: 3, rejectedAtMs: NOW - 299 }, rejected, online);
    expect(burst.rejections).toBe(3);
    expect(burst.shown.status).toBe('reconnecting');
  });

  it.each([
    ['renew', 1],
    ['replace', 1],
    ['start', 2],
  ] as const)('does not count a try that got no new session: %s leaves %i', (request, rejections) => {
    const failing = { ...phases['reconnecting/session'], rejections: 2, request };
    expect(transition(failing, events['session failed, pair kept'], online).rejections).toBe(rejections);
  });

  it('requests a new session when the visitor tries again after an expired one', () => {
    expect(show(failed('session_expired'), { type: 'connect' })).toBe('connecting/session, renew');
    expect(show(failed('reconnect_budget_spent'), { type: 'connect' })).toBe('connecting/session, start');
  });

  it('reconnects after a 4000', () => {
    expect(show(open, { type: 'socket_closed', code: 4000 })).toBe(WAIT);
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
      budget: fc.constantFrom(0, 3, 10),
      waitMs: fc.nat(60_000),
    }),
    { maxLength: 60 },
  );

  it('always has a next step: a timer, a request, or a state that waits for the visitor', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let state = INITIAL_CONNECTION;
        let nowMs = 0;
        for (const { event: next, waitMs, ...at } of steps) {
          nowMs += waitMs;
          state = transition(state, next, { nowMs, ...at });
          const hasTimer = !['idle', 'session', 'closed', 'failed'].includes(state.step);
          expect(state.delayMs > 0).toBe(hasTimer);
          if (state.shown.status === 'reconnecting') expect(state.shown.attempt).toBeGreaterThanOrEqual(1);
          expect(state.rejections).toBeLessThanOrEqual(3);
          expect(state.rejections).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('never exceeds its budget of attempts', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let state = INITIAL_CONNECTION;
        for (const { event: next, waitMs, ...at } of steps) {
          state = transition(state, next, { nowMs: waitMs, ...at, budget: 3 });
          expect(state.attempts).toBeLessThanOrEqual(3);
        }
      }),
    );
  });

  it('opens a socket only with fresh credentials', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let state = INITIAL_CONNECTION;
        for (const { event: next, waitMs, ...at } of steps) {
          const before = state;
          state = transition(before, next, { nowMs: waitMs, ...at });
          const opens = state !== before && state.step === 'socket';
          expect(opens && next.type !== 'session_ready').toBe(false);
        }
      }),
    );
  });
});
