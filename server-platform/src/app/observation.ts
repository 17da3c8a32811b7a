import type { Database } from '../db/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { LogComponent, LogOf } from '../kit/logger.ts';
import type { Peers } from '../realtime/bus/index.ts';
import { createEventLog } from '../realtime/event-log/index.ts';
import {
  createFailureReport,
  createMessagingMetrics,
  createObserver,
  type MessagingContext,
  type MessagingMetrics,
} from '../realtime/index.ts';
import { SessionTraces } from '../realtime/trace/index.ts';

/** Logs and counts a failure. */
type OnFailure = (what: string, error: unknown, correlationId?: string) => void;

/** The event log, and a node's logs, metrics and traces of its sessions. */
export interface Observation extends Pick<MessagingContext, 'log' | 'observer'> {
  readonly metrics: MessagingMetrics;
  readonly traces: SessionTraces;
  /** Makes the failure report of a component. */
  readonly onFailureOf: (component: LogComponent) => OnFailure;
}

/** Dependencies of an observation. */
interface Observed {
  readonly database: Database;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly logOf: LogOf;
}

/** Makes the observation of a node. Nothing in it needs to be stopped. */
export function createObservation({ database, peers, clock, logOf }: Observed): Observation {
  // The embedded database has one connection: several writers would flush more often without writing groups concurrently.
  const log = createEventLog(database, {
    writers: database.engine === 'postgres' ? 2 : 1,
    onCommit: (commit) => metrics.committed(commit),
  });
  const metrics = createMessagingMetrics(log);
  metrics.watchConnections({ database, peers });
  peers.onPossibleLoss(metrics.busMayHaveLost);
  const traces = new SessionTraces();
  const observer = createObserver({ logger: logOf('messaging'), metrics, traces, clock });
  return {
    ...{ log, observer, metrics, traces },
    onFailureOf(component) {
      const report = createFailureReport(logOf(component), metrics);
      return (what, error, correlationId) =>
        report(what, error, correlationId === undefined ? {} : { correlationId });
    },
  };
}
