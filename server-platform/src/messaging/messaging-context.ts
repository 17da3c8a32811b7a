import type { FrameFault } from 'natter/protocol';
import type { Agent } from '../agents/index.ts';
import type { Bus, Peers } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import type { ActivityBuffer, Database, EventLog } from '../db/index.ts';
import type { Scheduler } from '../sweep/index.ts';
import type { ConnectorDirectory, MessagingConnector } from './connector.ts';
import type { SessionIds } from './gateway/session-ids.ts';
import type { HandoffProvider } from './handoff/handoff-provider.ts';
import type { MessagingLimits } from './messaging-limits.ts';
import type { NodeLease } from './session/node-lease.ts';
import type { SessionFact } from './trace/index.ts';

/** What happened to a turn, for metrics. */
export type TurnResult = 'answered' | 'failed' | 'aborted';

/** What a failure belongs to. */
export interface FailureSubject {
  readonly sessionId?: string;
  /** The id that the caller of an HTTP request or handshake was told. Source: HTTP-2. */
  readonly correlationId?: string;
}

/** What the messaging side tells the operator. Nothing in it holds message text or tokens. */
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
  /** The agent that answers for a connector; null when none is configured. */
  readonly agentFor: (connector: MessagingConnector) => Agent | null;
  readonly handoffProviders: readonly HandoffProvider[];
  readonly observer: MessagingObserver;
}
