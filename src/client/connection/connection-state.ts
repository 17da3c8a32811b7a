import type { ConnectionStatus, FailureReason } from '../chat-state.ts';

/** Where the connection stands, with what the machine needs to go on from there. */
export type ConnectionPhase =
  | { readonly status: 'idle' }
  | { readonly status: 'connecting'; readonly step: 'session' | 'socket' | 'offline' }
  | { readonly status: 'open' }
  | {
      readonly status: 'reconnecting';
      readonly step: 'waiting' | 'session' | 'socket' | 'offline';
      readonly attempt: number;
      readonly nextAttemptAtMs: number | null;
    }
  | { readonly status: 'closing' }
  | { readonly status: 'closed' }
  | { readonly status: 'failed'; readonly reason: FailureReason };

/** Counters that outlive a phase. */
export interface ConnectionMemory {
  /** Reconnect attempts since a socket last opened. */
  readonly attempts: number;
  /** How many are allowed; 0 means any number. Source: CON-2. */
  readonly budget: number;
  /** Handshakes refused in a row. Source: CLS-1. */
  readonly handshakeFailures: number;
  /** Sessions thrown away in a row without a socket opening. Source: CON-7. */
  readonly rejections: number;
  readonly rejectedAtMs: number;
}

export interface ConnectionState {
  readonly phase: ConnectionPhase;
  readonly memory: ConnectionMemory;
}

export type ConnectionEvent =
  /** The visitor, or the page, wants a connection now. */
  | { readonly type: 'connect' }
  /** Close for good: politely, waiting for the other end, or at once. */
  | { readonly type: 'disconnect'; readonly isImmediate: boolean }
  | { readonly type: 'session_ready' }
  | {
      readonly type: 'session_failed';
      readonly reason: FailureReason;
      /** The fault may pass by itself. */
      readonly mayComeBack: boolean;
      /** There still is a pair to try again with. */
      readonly keepsPair: boolean;
      /** How long whoever refused wants to be left alone; without it the usual pause. */
      readonly delayMs?: number;
    }
  | { readonly type: 'socket_opened' }
  | { readonly type: 'socket_closed'; readonly code: number }
  /** Nobody is there to open a socket to. */
  | { readonly type: 'unreachable' }
  /** The open socket is deaf, or spoke something that is not the protocol. */
  | { readonly type: 'socket_broken' }
  /** The open socket is older than HB-6 allows. */
  | { readonly type: 'socket_aged' }
  /** The platform said over an open socket that it does not know the session. */
  | { readonly type: 'session_rejected' }
  /** The one timer of this machine went off. */
  | { readonly type: 'timer' }
  | { readonly type: 'online' }
  | { readonly type: 'offline' }
  | { readonly type: 'visible' }
  /** The platform named its reconnect budget; null restores the default. */
  | { readonly type: 'budget_known'; readonly maxAttempts: number | null };

/**
 * `start` takes the pair in memory, else the stored one, else a new one. `renew` throws the pair away
 * first. `replace` has the proxy find out why the pair is refused, and gets another one only if it is no good.
 */
export type SessionRequest = 'start' | 'renew' | 'replace';

export type ConnectionEffect =
  | { readonly type: 'obtain_session'; readonly request: SessionRequest }
  | { readonly type: 'open_socket' }
  /** Let go of the socket: close it and hear nothing more of it. */
  | { readonly type: 'drop_socket'; readonly code: number }
  /** Close politely and wait for the close event. */
  | { readonly type: 'close_socket'; readonly code: number }
  /** Replaces a running timer. */
  | { readonly type: 'set_timer'; readonly delayMs: number }
  | { readonly type: 'clear_timer' }
  /** The platform closed with 1000: the chat is over. */
  | { readonly type: 'report_end' };

/** The moment an event is looked at, as values. `random` is uniform in [0, 1). */
export interface Moment {
  readonly nowMs: number;
  readonly random: number;
  readonly isOnline: boolean;
}

/** What a view is shown of the phase. */
export function toConnectionStatus(phase: ConnectionPhase): ConnectionStatus {
  if (phase.status === 'failed') return phase;
  if (!('step' in phase)) return { status: phase.status };
  const { step, ...shown } = phase;
  return { ...shown, offline: step === 'offline' };
}
