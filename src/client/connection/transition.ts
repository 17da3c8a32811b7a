/*
 * The connection as a table. Rows are events, columns phases; `connecting` and `reconnecting` share the
 * columns of their steps. A dot leaves everything as it is.
 *
 *                   idle     session     socket        waiting   offline   open       closing  closed   failed
 * connect           begin    begin       begin         begin     begin     begin      .        begin    begin
 * disconnect        closed   closed      closed        closed    closed    closing    closed4  .        closed
 * session_ready     .        open socket 6 .           .         .         .          .        .        .
 * session_failed    .        see 1       .             .         .         .          .        .        .
 * socket_opened     .        .           open 6        .         .         .          .        .        .
 * socket_closed     .        .           by code, 2    .         .         by code    closed   .        .
 * unreachable       .        .           come back, 5  .         .         .          .        .        .
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
 *    ordinary attempts come first, then the proxy is asked why, and a session that is no good is replaced
 *    (CLS-1, CON-7).
 * 3  Only after a failure that may pass by itself.
 * 4  Only when it has to be immediate.
 * 5  And forgets refused handshakes: whoever is not there has refused nothing, and an outage must not cost
 *    the session when it ends (CON-3).
 * 6  A network that went in the meantime is waited for: nobody says a second time that it has gone.
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

const FRESH = { attempts: 0, handshakeFailures: 0, rejections: 0, rejectedAtMs: -Infinity } as const;

/** Nothing connected, nothing counted. */
export const INITIAL_CONNECTION: ConnectionState = {
  phase: { status: 'idle' },
  memory: { ...FRESH, budget: LIMITS.assumedReconnectAttempts },
};

/** Failures that may pass by themselves; all others only the visitor, or the site's operator, can mend. */
const PASSING: readonly FailureReason[] = ['reconnect_budget_spent', 'service_unavailable'];

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

/** The phase's column in the table above. */
const columnOf = (phase: ConnectionPhase): string => ('step' in phase ? phase.step : phase.status);

/** On the way to a socket: for the first time, or back to one. */
function underWay(
  { attempts }: ConnectionMemory,
  { status }: ConnectionPhase,
  next: 'session' | 'offline',
): ConnectionPhase {
  return status === 'reconnecting' || status === 'open'
    ? { status: 'reconnecting', step: next, attempt: Math.max(1, attempts), nextAttemptAtMs: null }
    : { status: 'connecting', step: next };
}

const close = (memory: ConnectionMemory, ...effects: readonly ConnectionEffect[]): ConnectionStep =>
  step(memory, { status: 'closed' }, { type: 'clear_timer' }, ...effects);

const fail = (memory: ConnectionMemory, reason: FailureReason): ConnectionStep =>
  step(memory, { status: 'failed', reason }, { type: 'clear_timer' });

const waitForNetwork = (memory: ConnectionMemory, phase: ConnectionPhase): ConnectionStep =>
  step(memory, underWay(memory, phase, 'offline'), { type: 'set_timer', delayMs: OFFLINE_POLL_MS });

const obtain = (memory: ConnectionMemory, phase: ConnectionPhase, request: SessionRequest): ConnectionStep =>
  step(
    memory,
    underWay(memory, phase, 'session'),
    { type: 'clear_timer' },
    { type: 'obtain_session', request },
  );

/** Gets the pair, then the socket; without a network, waits for one. Source: CON-3, CON-8. */
function goOn(memory: ConnectionMemory, phase: ConnectionPhase, at: Moment): ConnectionStep {
  if (!at.isOnline) return waitForNetwork(memory, phase);
  // A session given up as expired is not tried once more.
  const isSpent = phase.status === 'failed' && phase.reason === 'session_expired';
  return obtain(memory, phase, isSpent ? 'renew' : 'start');
}

/** Waits before the next attempt, unless the budget is spent. Source: CON-1, CON-2. */
function comeBack(memory: ConnectionMemory, at: Moment, fixedDelayMs?: number): ConnectionStep {
  if (!at.isOnline) return waitForNetwork(memory, { status: 'open' });
  const { attempts, budget } = memory;
  if (budget > 0 && attempts >= budget) return fail(memory, 'reconnect_budget_spent');
  const backoffMs = Math.min(MAX_DELAY_MS, 1000 * 2 ** attempts) * (0.8 + 0.4 * at.random);
  const delayMs = fixedDelayMs ?? Math.round(backoffMs);
  const attempt = attempts + 1;
  return step(
    { ...memory, attempts: attempt },
    { status: 'reconnecting', step: 'waiting', attempt, nextAttemptAtMs: at.nowMs + delayMs },
    { type: 'set_timer', delayMs },
  );
}

/** This session is no good: get another, but not for ever. Source: CON-7. */
function reject(memory: ConnectionMemory, request: SessionRequest, at: Moment): ConnectionStep {
  const { nowMs } = at;
  const isBurst = nowMs - memory.rejectedAtMs < REJECTION_BURST_MS;
  const rejections = memory.rejections + (isBurst ? 0 : 1);
  return rejections > MAX_REJECTIONS
    ? fail(memory, 'session_expired')
    : obtain(
        { ...memory, rejections, rejectedAtMs: nowMs, handshakeFailures: 0 },
        { status: 'open' },
        request,
      );
}

function onClosed(memory: ConnectionMemory, code: number, hadOpened: boolean, at: Moment): ConnectionStep {
  if (code === CLOSE_CODES.normal) return close(memory, { type: 'report_end' });
  if (code === CLOSE_CODES.sessionRejected) return reject(memory, 'renew', at);
  if (code === CLOSE_CODES.networkLost) return comeBack(memory, at, NETWORK_POLL_MS);
  if (hadOpened || code === CLOSE_CODES.replaced || !at.isOnline) return comeBack(memory, at);
  const handshakeFailures = memory.handshakeFailures + 1;
  return handshakeFailures > ORDINARY_ATTEMPTS
    ? reject(memory, 'replace', at)
    : comeBack({ ...memory, handshakeFailures }, at);
}

/**
 * What the connection does next. Pure: the clock, the dice and the network come in as values of `at`.
 * Source: messaging.md 4.5 and 13.1.
 */
export function transition(state: ConnectionState, event: ConnectionEvent, at: Moment): ConnectionStep {
  const { phase, memory } = state;
  const column = columnOf(phase);
  const isOpen = column === 'open';
  const stay = step(memory, phase);
  switch (event.type) {
    case 'connect': {
      if (column === 'closing') return stay;
      // A fresh budget; a socket in flight or in use is replaced (CON-5).
      const next = goOn({ ...memory, ...FRESH }, phase, at);
      return isOpen || column === 'socket' ? dropping(CLOSE_CODES.replaced, next) : next;
    }
    case 'disconnect':
      if (column === 'closed' || (column === 'closing' && !event.isImmediate)) return stay;
      return isOpen && !event.isImmediate
        ? step(
            memory,
            { status: 'closing' },
            { type: 'close_socket', code: CLOSE_CODES.normal },
            { type: 'set_timer', delayMs: CLOSING_MS },
          )
        : close(memory, { type: 'drop_socket', code: CLOSE_CODES.normal });
    case 'session_ready':
      if (!('step' in phase) || column !== 'session') return stay;
      return at.isOnline
        ? step(memory, { ...phase, step: 'socket' }, { type: 'open_socket' })
        : waitForNetwork(memory, phase);
    case 'session_failed': {
      if (column !== 'session') return stay;
      // A try that got no new session does not count as a rejection (CON-7).
      const uncounted = { ...memory, rejections: Math.max(0, memory.rejections - 1) };
      if (event.mayComeBack && !at.isOnline) return waitForNetwork(uncounted, phase);
      return event.mayComeBack && event.keepsPair
        ? comeBack(uncounted, at, event.delayMs)
        : fail(uncounted, event.reason);
    }
    case 'socket_opened': {
      if (column !== 'socket') return stay;
      const open = step({ ...memory, ...FRESH }, { status: 'open' }, { type: 'clear_timer' });
      return at.isOnline ? open : transition(open.state, { type: 'offline' }, at);
    }
    case 'socket_closed':
      if (column === 'closing') return close(memory);
      return isOpen || column === 'socket' ? onClosed(memory, event.code, isOpen, at) : stay;
    case 'unreachable':
      return column === 'socket' ? comeBack({ ...memory, handshakeFailures: 0 }, at) : stay;
    case 'socket_broken':
      return isOpen ? dropping(CLOSE_CODES.applicationError, comeBack(memory, at)) : stay;
    case 'socket_aged':
      return isOpen ? dropping(CLOSE_CODES.replaced, goOn(memory, phase, at)) : stay;
    case 'session_rejected':
      return isOpen ? dropping(CLOSE_CODES.applicationError, reject(memory, 'renew', at)) : stay;
    case 'timer':
      if (column === 'closing') {
        return step(memory, { status: 'closed' }, { type: 'drop_socket', code: CLOSE_CODES.normal });
      }
      if (column === 'waiting') return goOn(memory, phase, at);
      return column === 'offline'
        ? goOn({ ...memory, attempts: at.isOnline ? 0 : memory.attempts }, phase, at)
        : stay;
    case 'online':
    case 'visible': {
      // Whatever was waiting goes on at once with a fresh budget (CON-4).
      const isWaiting =
        phase.status === 'failed'
          ? PASSING.includes(phase.reason)
          : column === 'waiting' || column === 'offline';
      return at.isOnline && isWaiting ? goOn({ ...memory, attempts: 0 }, phase, at) : stay;
    }
    case 'offline':
      if (isOpen) return dropping(CLOSE_CODES.applicationError, waitForNetwork(memory, phase));
      return column === 'waiting' ? waitForNetwork(memory, phase) : stay;
    case 'budget_known':
      return step({ ...memory, budget: event.maxAttempts ?? LIMITS.assumedReconnectAttempts }, phase);
  }
}
