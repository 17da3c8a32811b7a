import { AppendQueue, type AppendQueueOptions } from './append-queue.ts';
import type { AppendRequest, AppendResult } from './append-request.ts';
import type { Database } from './sql.ts';
import { EVENT_COLUMNS, type EventRow, readEventRow, type StoredEvent } from './stored-event.ts';

/** The log of all sessions' events: the truth about what happened. */
export interface EventLog {
  /**
   * Stores the events of one request and resolves when they are committed: what it returns may be sent.
   *
   * Requests of one session are written in the order of the calls. All sessions share commits: whatever is asked for
   * while a commit is under way goes into the next one. Rejects with a `DatabaseError`: `overloaded` (nothing was
   * written), `unavailable` (it may have been written: read the log again before going on) or another (nothing was).
   */
  append(request: AppendRequest): Promise<AppendResult>;
  /** Events after a cursor, ascending, at most `limit` (RPL-2). */
  readAfter(sessionId: string, cursor: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The session's SESSION_START, or null when there is no such session. */
  readFirst(sessionId: string): Promise<StoredEvent | null>;
  /** Rows waiting to be written or being written. */
  readonly queuedRows: number;
  /** Resolves when everything asked for before the call has been written or refused. */
  drain(): Promise<void>;
}

/** Opens the log on a migrated database. One per process. */
export function createEventLog(database: Database, options: AppendQueueOptions = {}): EventLog {
  const queue = new AppendQueue(database, options);
  return {
    append: (request) => queue.append(request),
    async readAfter(sessionId, cursor, limit) {
      const rows = await database.query<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events WHERE session_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
        [sessionId, cursor, limit],
      );
      return rows.map(readEventRow);
    },
    async readFirst(sessionId) {
      const [row] = await database.query<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events WHERE session_id = $1 AND sequence = 1`,
        [sessionId],
      );
      return row === undefined ? null : readEventRow(row);
    },
    get queuedRows() {
      return queue.queuedRows;
    },
    drain: () => queue.drain(),
  };
}
