import type { FrameFault } from 'natter/protocol';
import type { Agent } from '../agents/index.ts';
import type { Database } from '../db/index.ts';
import type { HandoffProvider } from '../handoff/session/index.ts';
import type { Scheduler } from '../jobs/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Bus, Peers } from './bus/index.ts';
import type { ConnectorDirectory, MessagingConnector } from './conversation/index.ts';
import type { ActivityBuffer, EventLog } from './event-log/index.ts';
import type { SessionIds } from './gateway/session-ids.ts';
import type { MessagingLimits } from './messaging-limits.ts';
import type { NodeLease } from './sessions/node-lease.ts';
import type { SessionFact } from './trace/index.ts';

/** What happened to a turn, for metrics. */
export type TurnResult = 'answered' | 'failed' | 'aborted';

/** What a failure belongs to. */
export interface FailureSubject {
  readonly sessionId?: string;
  /** The id returned to the caller of an HTTP request or handshake. Source: HTTP-2. */
  readonly correlationId?: string;
}

/** Reports of the messaging side to the operator. They hold no message text and no tokens. */
export interface MessagingObserver {
  /** Something failed that the user's side only sees as an error text or a close. */
  failed(what: string, error: unknown, about?: FailureSubject): void;
  warned(what: string, sessionId?: string): void;
  /** Something happened to a session that exists. */
  happened(sessionId: string, fact: SessionFact): void;
  /** A session was erased: nothing more may be known of it. */
  erased(sessionId: string): void;
  frameReceived(outcome: string): void;
  /** Why a frame was refused; absent or null: not logged, so the reason is not looked for. */
  readonly frameRefused?: ((fault: FrameFault, sessionId: string) => void) | null;
  /** `sessionId`: as the handshake names it, if it does; it may be made up. */
  handshakeRefused(code: string, sessionId: string | null): void;
  slowReaderClosed(): void;
  /** Absent: sockets are not counted. */
  socketOpened?(): void;
  socketClosed?(code: number): void;
  /** The set-up cannot work as it is; `about` names the value and the setting. Absent: not logged. */
  misconfigured?(about: Readonly<Record<string, string>>, message: string): void;
}

/** Everything a session of this node works with. */
export interface MessagingContext {
  readonly database: Database;
  readonly log: EventLog;
  readonly activity: ActivityBuffer;
  readonly bus: Bus;
  readonly peers: Peers;
  readonly clock: Clock;
  /** Repeats the work of the background. */
  readonly scheduler: Scheduler;
  readonly limits: MessagingLimits;
  /** Under which this node, `lease.node`, owns the sessions it claims. */
  readonly lease: NodeLease;
  readonly connectors: ConnectorDirectory;
  readonly sessionIds: SessionIds;
  /** The agent that answers for a connector in a variant, empty: in none; null when none is configured. */
  readonly agentFor: (connector: MessagingConnector, variantId: string) => Agent | null;
  readonly handoffProviders: readonly HandoffProvider[];
  readonly observer: MessagingObserver;
}
