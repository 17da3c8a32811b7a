import type { ConnectionStatus, FailureReason } from '../chat-state.ts';

/** A column of the table in `transition.ts`. */
export type ConnectionStep =
  | 'idle'
  /** Gets the credentials: session and token. */
  | 'session'
  | 'socket'
  /** Waits for the next attempt. */
  | 'waiting'
  /** Waits for the network. */
  | 'offline'
  | 'open'
  | 'closing'
  | 'closed'
  | 'failed';

/** State of the connection. A new object is a step for the driver to take; the same object means no step. */
export interface ConnectionState {
  readonly step: ConnectionStep;
  /** The status shown to views. */
  readonly shown: ConnectionStatus;
  /** Duration of this step, until event `timer`; 0 for unlimited. */
  readonly delayMs: number;
  /** How the step `session` gets its credentials. */
  readonly request: SessionRequest;
  /** Reconnect attempts since a socket last opened. */
  readonly attempts: number;
  /** Handshakes refused in a row. Source: CLS-1. */
  readonly handshakeFailures: number;
  /** Consecutive sessions rejected without an open socket. Source: CON-7. */
  readonly rejections: number;
  readonly rejectedAtMs: number;
}

export type ConnectionEvent =
  /** The visitor, or the page, wants a connection now. */
  | { readonly type: 'connect' }
  /** Closes permanently: waiting for the other end, or immediately. */
  | { readonly type: 'disconnect'; readonly isImmediate: boolean }
  | { readonly type: 'session_ready' }
  | {
      readonly type: 'session_failed';
      readonly reason: FailureReason;
      /** The fault may be temporary. */
      readonly isTemporary: boolean;
      /** Whether there are credentials for another attempt. */
      readonly hasCredentials: boolean;
      /** Pause requested by the refusing server; absent: the usual pause. */
      readonly delayMs?: number;
    }
  | { readonly type: 'socket_opened' }
  /**
   * Also for a socket that counts as closed: 4001 for a session that the platform does not know, 4002 for a socket that
   * does not work.
   */
  | { readonly type: 'socket_closed'; readonly code: number }
  /** The step's time limit has passed. */
  | { readonly type: 'timer' }
  | { readonly type: 'offline' }
  /** The page is visible again, or the network is back. */
  | { readonly type: 'woke' };

/**
 * `start` uses the credentials in memory, or the stored session's, or new ones. `renew` discards them first. `replace`
 * asks the proxy why they are refused, and gets others only if they are invalid.
 */
export type SessionRequest = 'start' | 'renew' | 'replace';

/** Time and environment of an event. */
export interface TransitionContext {
  readonly nowMs: number;
  /** Uniform in [0, 1). */
  readonly random: number;
  readonly isOnline: boolean;
  /** How many attempts are allowed; 0 means any number. Source: CON-2. */
  readonly budget: number;
}
