import type { ConnectionStatus, FailureReason } from '../chat-state.ts';

/** A column of the table in `transition.ts`. */
export type ConnectionStep =
  | 'idle'
  /** Gets the credentials: session and token. */
  | 'session'
  | 'socket'
  /** Until the next attempt. */
  | 'waiting'
  /** For the network. */
  | 'offline'
  | 'open'
  | 'closing'
  | 'closed'
  | 'failed';

/** Where the connection stands. A new one is a step that the driver has to take, the same one is none. */
export interface ConnectionState {
  readonly step: ConnectionStep;
  /** What a view is shown of it. */
  readonly shown: ConnectionStatus;
  /** When this step is over, as `timer` says; 0 for never. */
  readonly delayMs: number;
  /** How the step `session` gets its credentials. */
  readonly request: SessionRequest;
  /** Reconnect attempts since a socket last opened. */
  readonly attempts: number;
  /** Handshakes refused in a row. Source: CLS-1. */
  readonly handshakeFailures: number;
  /** Sessions thrown away in a row without a socket opening. Source: CON-7. */
  readonly rejections: number;
  readonly rejectedAtMs: number;
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
      /** The fault may be temporary. */
      readonly mayComeBack: boolean;
      /** There are credentials to try again with. */
      readonly hasCredentials: boolean;
      /** The pause that the refusing server asked for; without it the usual pause. */
      readonly delayMs?: number;
    }
  | { readonly type: 'socket_opened' }
  /** Or counts as closed: 4001 for a session that the platform does not know, 4002 for a socket that does not work. */
  | { readonly type: 'socket_closed'; readonly code: number }
  /** The step's time is over. */
  | { readonly type: 'timer' }
  | { readonly type: 'offline' }
  /** The page is visible again, or the network is back. */
  | { readonly type: 'woke' };

/**
 * `start` takes the credentials in memory, else the stored session's, else new ones. `renew` discards them first.
 * `replace` asks the proxy why they are refused, and gets others only if they are invalid.
 */
export type SessionRequest = 'start' | 'renew' | 'replace';

/** The moment an event is looked at, as values. */
export interface Moment {
  readonly nowMs: number;
  /** Uniform in [0, 1). */
  readonly random: number;
  readonly isOnline: boolean;
  /** How many attempts are allowed; 0 means any number. Source: CON-2. */
  readonly budget: number;
}
