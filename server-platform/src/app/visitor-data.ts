import type { Logger } from 'pino';
import type { Database } from '../db/index.ts';
import type { Desk } from '../desk/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { EventLog } from '../realtime/event-log/index.ts';
import { addContactRequest, type MessagingMetrics, type VisitorData } from '../realtime/index.ts';
import { eraseVisitorData, readVisitorData } from '../records/erasure/index.ts';

/** The stores that hold visitors' data, and the log and metrics of their removal. */
interface VisitorDataOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly metrics: Pick<MessagingMetrics, 'rowsRemoved'>;
  /** The desk that reads the messages visitors leave; null: they cannot leave any. */
  readonly desk: Desk | null;
}

/** Lets visitors download and erase their data, and leave messages. */
export function createVisitorData({
  database,
  clock,
  log,
  logger,
  metrics,
  desk,
}: VisitorDataOptions): VisitorData {
  return {
    read: (sessionId) => readVisitorData(database, log, sessionId),
    async erase(sessionId) {
      const removed = await eraseVisitorData(database, sessionId);
      if (removed === null) return;
      metrics.rowsRemoved('erasure', removed.counts);
      logger.info({ kind: 'session', rows: removed.total }, "erased at the visitor's request");
    },
    offersContact: desk !== null,
    async addContactRequest(sessionId, words) {
      const outcome = await addContactRequest(database, sessionId, words, clock.now());
      if (outcome.status === 'stored') desk?.announce(outcome.accountId);
      return outcome;
    },
  };
}
