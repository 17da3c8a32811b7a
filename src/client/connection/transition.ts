/*
 * The connection as a table. Rows are events, columns steps. A dot leaves everything as it is.
 *
 *                   idle     session     socket        waiting   offline   open       closing  closed   failed
 * connect           begin    .           begin         begin     begin     begin      .        begin    begin
 * disconnect        closed   closed      closed        closed    closed    closing 4  closed 5 closed   closed
 * session_ready     .        socket 6    .             .         .         .          .        .        .
 * session_failed    .        see 1       .             .         .         .          .        .        .
 * socket_opened     .        .           open 6        .         .         .          .        .        .
 * socket_closed     .        .           by code, 2    .         .         by code    closed   .        .
 * timer             .        .           as by 1006    continue  wake      continue    closed   .        .
 * woke              .        .           .             wake      wake      .          .        .        wake 3
 * offline           .        .           .             offline   .         offline    .        .        .
 *
 * begin: counters at zero, get credentials. continue: get credentials again, counters kept.
 * wake: continue with the attempts at zero (CON-4). Without a network each of them waits and polls instead.
 * 1  A temporary fault reconnects while there are credentials to try, and waits while there is no network;
 *    otherwise, and after a permanent fault: `failed`. The count of refused handshakes is reset, because an
 *    absent server has refused nothing, and an outage must not cost the session when it ends (CON-3).
 * 2  Not opened, and not 1000, 4000, 4001, 4003: a refused handshake. Browsers hide the status, so after two
 *    ordinary attempts the proxy is asked for the reason, and an invalid session is replaced (CLS-1, CON-7).
 * 3  Only after a temporary failure.
 * 4  Closed at once if it has to be immediate.
 * 5  Only if it has to be immediate.
 * 6  Waits if the network was lost meanwhile, because the browser reports that only once.
 *
 * Codes: 1000 ends, 4001 renews the session, 4003 polls every 10 s, all others reconnect with backoff
 * (messaging.md 4.5). 4000 on the current socket reconnects too: this client has no newer socket, and would
 * otherwise receive nothing.
 */

import { CLOSE_CODES, LIMITS } from '../../protocol/index.ts';
import type { ConnectionStatus, FailureReason } from '../chat-state.ts';
import type {
  ConnectionEvent,
  ConnectionState,
  ConnectionStep,
  SessionRequest,
  TransitionContext,
} from './connection-state.ts';

/** Cap of the backoff. Source: CON-1. */
const MAX_DELAY_MS = 30_000;
/** Pace after a transient network failure. Source: CON-1. */
const NETWORK_POLL_MS = 10_000;
/** Interval of checking for the network while the device reports none. Source: CON-4. */
const OFFLINE_POLL_MS = 3_000;
/** How long a handshake may take. */
const OPENING_MS = 15_000;
/** How long a polite close may take. */
const CLOSING_MS = 2_000;
/** Ordinary attempts before a refused handshake counts against the session. Source: CLS-1. */
const ORDINARY_ATTEMPTS = 2;
/** Source: CON-7. */
const MAX_REJECTIONS = 3;
/** Rejections closer together than this are one. Source: CON-7. */
const REJECTION_BURST_MS = 300;

const FRESH = { attempts: 0, handshakeFailures: 0, rejections: 0, rejectedAtMs: -Infinity } as const;

/** Nothing connected, nothing counted. */
export const INITIAL_CONNECTION: ConnectionState = {
  ...FRESH,
  step: 'idle',
  shown: { status: 'idle' },
  delayMs: 0,
  request: 'start',
};

/** Temporary failures; only the visitor or the site's operator can fix the others. */
const TEMPORARY: readonly FailureReason[] = ['reconnect_budget_spent', 'service_unavailable'];

const OPEN: ConnectionStatus = { status: 'open' };

const enter = (
  state: ConnectionState,
  step: ConnectionStep,
  shown: ConnectionStatus,
  delayMs = 0,
): ConnectionState => ({ ...state, step, shown, delayMs });

const close = (state: ConnectionState): ConnectionState => enter(state, 'closed', { status: 'closed' });

const fail = (state: ConnectionState, reason: FailureReason): ConnectionState =>
  enter(state, 'failed', { status: 'failed', reason });

/** Seeks a socket, for the first time or again. */
function seek(
  state: ConnectionState,
  step: 'session' | 'offline' | 'waiting',
  { status } = state.shown,
  delayMs = 0,
  nextAttemptAtMs: number | null = null,
): ConnectionState {
  const offline = step === 'offline';
  const shown: ConnectionStatus =
    status === 'reconnecting' || status === 'open'
      ? { status: 'reconnecting', attempt: Math.max(1, state.attempts), nextAttemptAtMs, offline }
      : { status: 'connecting', offline };
  return enter(state, step, shown, delayMs);
}

const waitForNetwork = (state: ConnectionState, shown?: ConnectionStatus): ConnectionState =>
  seek(state, 'offline', shown, OFFLINE_POLL_MS);

/** Gets credentials, then the socket; without a network, waits for one. Source: CON-3, CON-8. */
function obtainSession(state: ConnectionState, { isOnline }: TransitionContext): ConnectionState {
  const { shown } = state;
  // A session given up as expired is not tried again.
  const isSpent = shown.status === 'failed' && shown.reason === 'session_expired';
  const request = isSpent ? 'renew' : 'start';
  return isOnline ? seek({ ...state, request }, 'session') : waitForNetwork(state);
}

/** Waits before the next attempt, unless the budget is exhausted. Source: CON-1, CON-2. */
function reconnect(state: ConnectionState, at: TransitionContext, fixedDelayMs?: number): ConnectionState {
  if (!at.isOnline) return waitForNetwork(state, OPEN);
  const { attempts } = state;
  if (at.budget > 0 && attempts >= at.budget) return fail(state, 'reconnect_budget_spent');
  const backoffMs = Math.min(MAX_DELAY_MS, 1000 * 2 ** attempts) * (0.8 + 0.4 * at.random);
  const delayMs = fixedDelayMs ?? Math.round(backoffMs);
  return seek({ ...state, attempts: attempts + 1 }, 'waiting', OPEN, delayMs, at.nowMs + delayMs);
}

/** Replaces a rejected session, a limited number of times. Source: CON-7. */
function reject(
  state: ConnectionState,
  request: SessionRequest,
  { nowMs }: TransitionContext,
): ConnectionState {
  const isBurst = nowMs - state.rejectedAtMs < REJECTION_BURST_MS;
  const rejections = state.rejections + (isBurst ? 0 : 1);
  return rejections > MAX_REJECTIONS
    ? fail(state, 'session_expired')
    : seek({ ...state, request, rejections, rejectedAtMs: nowMs, handshakeFailures: 0 }, 'session', OPEN);
}

function onClosed(state: ConnectionState, code: number, at: TransitionContext): ConnectionState {
  if (code === CLOSE_CODES.normal) return close(state);
  if (code === CLOSE_CODES.sessionRejected) return reject(state, 'renew', at);
  if (code === CLOSE_CODES.networkLost) return reconnect(state, at, NETWORK_POLL_MS);
  if (state.step === 'open' || code === CLOSE_CODES.replaced || !at.isOnline) return reconnect(state, at);
  const handshakeFailures = state.handshakeFailures + 1;
  return handshakeFailures > ORDINARY_ATTEMPTS
    ? reject(state, 'replace', at)
    : reconnect({ ...state, handshakeFailures }, at);
}

/**
 * Determines the connection's next step. Pure: clock, randomness and network are values of `at`. Source: messaging.md
 * 4.5 and 13.1.
 */
export function transition(
  state: ConnectionState,
  event: ConnectionEvent,
  at: TransitionContext,
): ConnectionState {
  const { step, shown } = state;
  const isOpen = step === 'open';
  switch (event.type) {
    case 'connect':
      // A fresh budget; a socket that is opening or open is replaced (CON-5).
      return step === 'closing' || step === 'session' ? state : obtainSession({ ...state, ...FRESH }, at);
    case 'disconnect':
      if (event.isImmediate || (!isOpen && step !== 'closing'))
        return step === 'closed' ? state : close(state);
      return isOpen ? enter(state, 'closing', { status: 'closing' }, CLOSING_MS) : state;
    case 'session_ready':
      if (step !== 'session') return state;
      return at.isOnline ? enter(state, 'socket', shown, OPENING_MS) : waitForNetwork(state);
    case 'session_failed': {
      if (step !== 'session') return state;
      // An attempt without a new session does not count as a rejection (CON-7).
      const rejections = Math.max(0, state.rejections - (state.request === 'start' ? 0 : 1));
      const uncounted = { ...state, rejections, handshakeFailures: 0 };
      if (event.isTemporary && !at.isOnline) return waitForNetwork(uncounted);
      return event.isTemporary && event.hasCredentials
        ? reconnect(uncounted, at, event.delayMs)
        : fail(uncounted, event.reason);
    }
    case 'socket_opened': {
      if (step !== 'socket') return state;
      const open = enter({ ...state, ...FRESH }, 'open', OPEN, LIMITS.maxSocketAgeMs);
      return at.isOnline ? open : waitForNetwork(open);
    }
    case 'socket_closed':
      if (step === 'closing') return close(state);
      return isOpen || step === 'socket' ? onClosed(state, event.code, at) : state;
    case 'timer':
      if (step === 'closing') return close(state);
      if (step === 'socket') return onClosed(state, CLOSE_CODES.abnormal, at);
      if (step === 'offline') return obtainSession({ ...state, attempts: 0 }, at);
      return isOpen || step === 'waiting' ? obtainSession(state, at) : state;
    case 'woke': {
      // A waiting connection is tried immediately with a fresh budget (CON-4).
      const isWaiting =
        shown.status === 'failed'
          ? TEMPORARY.includes(shown.reason)
          : step === 'waiting' || step === 'offline';
      return at.isOnline && isWaiting ? obtainSession({ ...state, attempts: 0 }, at) : state;
    }
    case 'offline':
      return isOpen || step === 'waiting' ? waitForNetwork(state) : state;
  }
}
