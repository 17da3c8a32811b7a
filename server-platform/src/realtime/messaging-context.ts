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
import type { SessionTraceEvent } from './trace/index.ts';

/** Steps of a turn that metrics count. */
export type TurnResult = 'answered' | 'failed' | 'aborted';

/** The session, project or request that a failure belongs to. */
export interface FailureSubject {
  readonly sessionId?: string;
  /** The id returned to the caller of an HTTP request or handshake. Source: HTTP-2. */
  readonly correlationId?: string;
}

/** Events that the messaging side reports to the operator. They contain no message text and no tokens. */
export interface MessagingObserver {
  /** An operation failed, and the user sees only an error text or a closed socket. */
  failed(what: string, error: unknown, about?: FailureSubject): void;
  warned(what: string, sessionId?: string): void;
  /** Something happened to a session that exists. */
  happened(sessionId: string, fact: SessionTraceEvent): void;
  /** A session was erased: everything recorded about it must be dropped. */
  erased(sessionId: string): void;
  frameReceived(outcome: string): void;
  /** Called with the reason for a refused frame. Absent or null: the reason is not determined. */
  readonly frameRefused?: ((fault: FrameFault, sessionId: string) => void) | null;
  /** `sessionId` is the id that the handshake asked for, if any. It is unverified and may not exist. */
  handshakeRefused(code: string, sessionId: string | null): void;
  slowReaderClosed(): void;
  /** Absent: sockets are not counted. */
  socketOpened?(): void;
  socketClosed?(code: number): void;
  /** The configuration cannot work; `about` names the value and the setting. Absent: not logged. */
  misconfigured?(about: Readonly<Record<string, string>>, message: string): void;
}

/** Dependencies that all sessions of this node share. */
export interface MessagingContext {
  readonly database: Database;
  readonly log: EventLog;
  readonly activity: ActivityBuffer;
  readonly bus: Bus;
  readonly peers: Peers;
  readonly clock: Clock;
  /** Runs periodic background tasks. */
  readonly scheduler: Scheduler;
  readonly limits: MessagingLimits;
  /** The lease under which this node (`lease.node`) owns sessions. */
  readonly lease: NodeLease;
  readonly connectors: ConnectorDirectory;
  readonly sessionIds: SessionIds;
  /** The agent for a connector and a variant (empty: no variant); null when none is configured. */
  readonly agentFor: (connector: MessagingConnector, variantId: string) => Agent | null;
  readonly handoffProviders: readonly HandoffProvider[];
  readonly observer: MessagingObserver;
}
