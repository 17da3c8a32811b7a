/*
 * The connection as a table. Rows are events, columns phases; `connecting` and `reconnecting` share the
 * columns of their steps. A dot leaves everything as it is.
 *
 *                   idle     session     socket        waiting   offline   open       closing  closed   failed
 * connect           begin    begin       begin         begin     begin     begin      .        begin    begin
 * disconnect        closed   closed      closed        closed    closed    closing    closed4  .        closed
 * session_ready     .        open socket .             .         .         .          .        .        .
 * session_failed    .        see 1       .             .         .         .          .        .        .
 * socket_opened     .        .           open          .         .         .          .        .        .
 * socket_closed     .        .           by code, 2    .         .         by code    closed   .        .
 * socket_broken     .        .           .             .         .         come back  .        .        .
 * socket_aged       .        .           .             .         .         go on      .        .        .
 * session_rejected  .        .           .             .         .         renew      .        .        .
 * timer             .        .           .             go on     poll      .          closed   .        .
 * online, visible   .        .           .             wake      wake      .          .        .        wake 3
 * offline           .        .           .             offline   .         offline    .        .        .
 * budget_known      remembers the budget, whatever the phase
 *
 * begin: counters at zero, drop a socket in flight, get the pair. go on: get the pair again, counters kept.
 * wake: go on with the attempts at zero (CON-4). Without a network each of them waits and polls instead.
 * 1  A fault that may pass comes back while there is a pair to try, waits while there is no network, and
 *    is `failed` otherwise, as is a fault that stays.
 * 2  Not opened, and not 1000, 4000, 4001, 4003: a refused handshake. Browsers hide the status, so two
 *    ordinary attempts come first, then the session is replaced (CLS-1, CON-7).
 * 3  Only after a failure that may pass by itself.
 * 4  Only when it has to be immediate.
 *
 * Codes: 1000 ends, 4001 renews the session, 4003 polls every 10 s, all others come back with backoff
 * (messaging.md 4.5). 4000 on the socket in charge comes back too: no newer socket exists here, and the
 * alternative is to sit there deaf.
 */

import { CLOSE_CODES, LIMITS } from '../../protocol/index.ts';
import type { FailureReason } from '../chat-state.ts';
import type {
  ConnectionEffect,
  ConnectionEvent,
  ConnectionMemory,
  ConnectionPhase,
  ConnectionState,
  Moment,
  SessionRequest,
} from './connection-state.ts';

/** Cap of the backoff. Source: CON-1. */
const MAX_DELAY_MS = 30_000;
/** Pace after a transient network failure. Source: CON-1. */
const NETWORK_POLL_MS = 10_000;
/** How often the network is looked for while the device says it has none. Source: CON-4. */
const OFFLINE_POLL_MS = 3_000;
/** How long a polite close may take. */
const CLOSING_MS = 2_000;
/** Ordinary attempts before a refused handshake counts against the session. Source: CLS-1. */
const ORDINARY_ATTEMPTS = 2;
/** Source: CON-7. */
const MAX_REJECTIONS = 3;
/** Rejections closer together than this are one. Source: CON-7. */
const REJECTION_BURST_MS = 300;

/** A transition's outcome: the next state and what the driver has to do, in order. */
export interface ConnectionStep {
  readonly state: ConnectionState;
  readonly effects: readonly ConnectionEffect[];
}

/** Nothing connected, nothing counted. */
export const INITIAL_CONNECTION: ConnectionState = {
  phase: { status: 'idle' },
  memory: {
    attempts: 0,
    budget: LIMITS.assumedReconnectAttempts,
    handshakeFailures: 0,
    rejections: 0,
    rejectedAtMs: null,
  },
};

const FRESH = { attempts: 0, handshakeFailures: 0, rejections: 0, rejectedAtMs: null } as const;
/** Failures that only the visitor, or the site's operator, can mend. */
const FINAL_REASONS: ReadonlySet<FailureReason> = new Set([
  'connector_rejected',
  'origin_not_allowed',
  'session_expired',
]);

const step = (
  memory: ConnectionMemory,
  phase: ConnectionPhase,
  ...effects: readonly ConnectionEffect[]
): ConnectionStep => ({ state: { phase, memory }, effects });

/** Lets go of the socket before the rest of a step. */
const dropping = (code: number, next: ConnectionStep): ConnectionStep => ({
  ...next,
  effects: [{ type: 'drop_socket', code }, ...next.effects],
});

const isRetrying = (phase: ConnectionPhase): boolean =>
  phase.status === 'reconnecting' || phase.status === 'open';

function fail(memory: ConnectionMemory, reason: FailureReason): ConnectionStep {
  return step(memory, { status: 'failed', reason }, { type: 'clear_timer' });
}

function waitForNetwork(memory: ConnectionMemory, phase: ConnectionPhase): ConnectionStep {
  const waiting: ConnectionPhase = isRetrying(phase)
    ? {
        status: 'reconnecting',
        step: 'offline',
        attempt: Math.max(1, memory.attempts),
        nextAttemptAtMs: null,
      }
    : { status: 'connecting', step: 'offline' };
  return step(memory, waiting, { type: 'set_timer', delayMs: OFFLINE_POLL_MS });
}

function obtain(memory: ConnectionMemory, phase: ConnectionPhase, request: SessionRequest): ConnectionStep {
  const next: ConnectionPhase = isRetrying(phase)
    ? {
        status: 'reconnecting',
        step: 'session',
        attempt: Math.max(1, memory.attempts),
        nextAttemptAtMs: null,
      }
    : { status: 'connecting', step: 'session' };
  return step(memory, next, { type: 'clear_timer' }, { type: 'obtain_session', request });
}

/** Gets the pair, then the socket; without a network, waits for one. Source: CON-3, CON-8. */
function goOn(memory: ConnectionMemory, phase: ConnectionPhase, at: Moment): ConnectionStep {
  // A session given up as expired is not tried once more.
  const isSpent = phase.status === 'failed' && phase.reason === 'session_expired';
  return at.isOnline ? obtain(memory, phase, isSpent ? 'renew' : 'start') : waitForNetwork(memory, phase);
}

const hasSocket = (phase: ConnectionPhase): boolean =>
  'step' in phase ? phase.step === 'socket' : phase.status === 'open';

/** Starts over with a fresh budget; a socket in flight or in use is replaced. Source: CON-5. */
function begin({ phase, memory }: ConnectionState, at: Moment): ConnectionStep {
  const next = goOn({ ...memory, ...FRESH }, phase, at);
  return hasSocket(phase) ? dropping(CLOSE_CODES.replaced, next) : next;
}

/** Waits before the next attempt, unless the budget is spent. Source: CON-1, CON-2. */
function comeBack(memory: ConnectionMemory, at: Moment, fixedDelayMs: number | null = null): ConnectionStep {
  if (!at.isOnline) return waitForNetwork(memory, { status: 'open' });
  if (memory.budget > 0 && memory.attempts >= memory.budget) return fail(memory, 'reconnect_budget_spent');
  const jitter = 0.8 + 0.4 * at.random;
  const delayMs = fixedDelayMs ?? Math.round(Math.min(MAX_DELAY_MS, 1000 * 2 ** memory.attempts) * jitter);
  const attempt = memory.attempts + 1;
  return step(
    { ...memory, attempts: attempt },
    { status: 'reconnecting', step: 'waiting', attempt, nextAttemptAtMs: at.nowMs + delayMs },
    { type: 'set_timer', delayMs },
  );
}

/** This session is no good: get another, but not for ever. Source: CON-7. */
function reject(memory: ConnectionMemory, request: SessionRequest, at: Moment): ConnectionStep {
  const isBurst = memory.rejectedAtMs !== null && at.nowMs - memory.rejectedAtMs < REJECTION_BURST_MS;
  const rejections = memory.rejections + (isBurst ? 0 : 1);
  if (rejections > MAX_REJECTIONS) return fail(memory, 'session_expired');
  const counted = { ...memory, rejections, rejectedAtMs: at.nowMs, handshakeFailures: 0 };
  return obtain(counted, { status: 'open' }, request);
}

function onClosed(state: ConnectionState, code: number, hadOpened: boolean, at: Moment): ConnectionStep {
  const { memory } = state;
  switch (code) {
    case CLOSE_CODES.normal:
      return step(memory, { status: 'closed' }, { type: 'clear_timer' }, { type: 'report_end' });
    case CLOSE_CODES.sessionRejected:
      return reject(memory, 'renew', at);
    case CLOSE_CODES.networkLost:
      return comeBack(memory, at, NETWORK_POLL_MS);
    default: {
      if (hadOpened || code === CLOSE_CODES.replaced || !at.isOnline) return comeBack(memory, at);
      const handshakeFailures = memory.handshakeFailures + 1;
      return handshakeFailures > ORDINARY_ATTEMPTS
        ? reject(memory, 'replace', at)
        : comeBack({ ...memory, handshakeFailures }, at);
    }
  }
}

function onSessionFailed(
  state: ConnectionState,
  event: Extract<ConnectionEvent, { type: 'session_failed' }>,
  at: Moment,
): ConnectionStep {
  // A try that got no new session does not count as a rejection (CON-7).
  const memory = { ...state.memory, rejections: Math.max(0, state.memory.rejections - 1) };
  if (!event.mayComeBack) return fail(memory, event.reason);
  if (!at.isOnline) return waitForNetwork(memory, state.phase);
  return event.keepsPair ? comeBack(memory, at) : fail(memory, event.reason);
}

/** Network or visitor came back: whatever was waiting goes on at once with a fresh budget. Source: CON-4. */
function wake({ phase, memory }: ConnectionState, at: Moment): ConnectionStep {
  const canWake =
    at.isOnline &&
    (phase.status === 'failed'
      ? !FINAL_REASONS.has(phase.reason)
      : 'step' in phase && (phase.step === 'waiting' || phase.step === 'offline'));
  return canWake ? goOn({ ...memory, attempts: 0 }, phase, at) : step(memory, phase);
}

function disconnect({ phase, memory }: ConnectionState, isImmediate: boolean): ConnectionStep {
  if (phase.status === 'closed' || (phase.status === 'closing' && !isImmediate)) return step(memory, phase);
  if (phase.status === 'open' && !isImmediate) {
    return step(
      memory,
      { status: 'closing' },
      { type: 'close_socket', code: CLOSE_CODES.normal },
      { type: 'set_timer', delayMs: CLOSING_MS },
    );
  }
  return step(
    memory,
    { status: 'closed' },
    { type: 'clear_timer' },
    { type: 'drop_socket', code: CLOSE_CODES.normal },
  );
}

/**
 * What the connection does next. Pure: the clock, the dice and the network come in as values of `at`.
 * Source: messaging.md 4.5 and 13.1.
 */
export function transition(state: ConnectionState, event: ConnectionEvent, at: Moment): ConnectionStep {
  const { phase, memory } = state;
  const stay = step(memory, phase);
  switch (event.type) {
    case 'connect':
      return phase.status === 'closing' ? stay : begin(state, at);
    case 'disconnect':
      return disconnect(state, event.isImmediate);
    case 'session_ready':
      return 'step' in phase && phase.step === 'session'
        ? step(memory, { ...phase, step: 'socket' }, { type: 'open_socket' })
        : stay;
    case 'session_failed':
      return 'step' in phase && phase.step === 'session' ? onSessionFailed(state, event, at) : stay;
    case 'socket_opened':
      return 'step' in phase && phase.step === 'socket'
        ? step({ ...memory, ...FRESH }, { status: 'open' }, { type: 'clear_timer' })
        : stay;
    case 'socket_closed':
      if (phase.status === 'closing') return step(memory, { status: 'closed' }, { type: 'clear_timer' });
      return hasSocket(phase) ? onClosed(state, event.code, phase.status === 'open', at) : stay;
    case 'socket_broken':
      return phase.status === 'open' ? dropping(CLOSE_CODES.applicationError, comeBack(memory, at)) : stay;
    case 'socket_aged':
      return phase.status === 'open' ? dropping(CLOSE_CODES.replaced, goOn(memory, phase, at)) : stay;
    case 'session_rejected':
      return phase.status === 'open'
        ? dropping(CLOSE_CODES.applicationError, reject(memory, 'renew', at))
        : stay;
    case 'timer':
      if (phase.status === 'closing') {
        return step(memory, { status: 'closed' }, { type: 'drop_socket', code: CLOSE_CODES.normal });
      }
      if (!('step' in phase)) return stay;
      if (phase.step === 'waiting') return goOn(memory, phase, at);
      if (phase.step !== 'offline') return stay;
      return at.isOnline ? wake(state, at) : waitForNetwork(memory, phase);
    case 'online':
    case 'visible':
      return wake(state, at);
    case 'offline':
      if (phase.status === 'open') {
        return dropping(CLOSE_CODES.applicationError, waitForNetwork(memory, phase));
      }
      return 'step' in phase && phase.step === 'waiting' ? waitForNetwork(memory, phase) : stay;
    case 'budget_known':
      return step({ ...memory, budget: event.maxAttempts ?? LIMITS.assumedReconnectAttempts }, phase);
  }
}
