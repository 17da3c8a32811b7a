import { AppendQueue, type AppendQueueOptions } from './append-queue.ts';
import type { AppendRequest, AppendResult } from './append-request.ts';
import { GroupReads } from './group-reads.ts';
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
  /** Events after a cursor, ascending, at most `limit` (RPL-2). Reads that are asked for at once share a statement. */
  readAfter(sessionId: string, cursor: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The session's SESSION_START, or null when there is no such session. */
  readFirst(sessionId: string): Promise<StoredEvent | null>;
  /** Rows waiting to be written or being written. */
  readonly queuedRows: number;
  /** Resolves when everything asked for before the call has been written or refused. */
  drain(): Promise<void>;
}

type Page = { readonly sessionId: string; readonly cursor: number; readonly limit: number };

// A page has some 200 events at most, so a statement that every handshake of a storm shares stays below some megabytes.
const MAX_PAGES_AT_ONCE = 64;

const READ_PAGES = `
  SELECT p.ix::int AS page, e.*
    FROM unnest($1::uuid[], $2::bigint[], $3::int[]) WITH ORDINALITY AS p (session_id, cursor, size, ix)
   CROSS JOIN LATERAL (
     SELECT ${EVENT_COLUMNS} FROM events
      WHERE events.session_id = p.session_id AND events.sequence > p.cursor
      ORDER BY events.sequence LIMIT p.size
   ) AS e
   ORDER BY p.ix, e.sequence`;

async function readPages(
  database: Database,
  pages: readonly Page[],
): Promise<readonly (readonly StoredEvent[])[]> {
  const rows = await database.query<EventRow & { readonly page: number }>(
    READ_PAGES,
    [
      pages.map(({ sessionId }) => sessionId),
      pages.map(({ cursor }) => cursor),
      pages.map(({ limit }) => limit),
    ],
    { prepare: true },
  );
  const found: StoredEvent[][] = pages.map(() => []);
  for (const row of rows) found[row.page - 1]?.push(readEventRow(row));
  return found;
}

/** Opens the log on a migrated database. One per process. */
export function createEventLog(database: Database, options: AppendQueueOptions = {}): EventLog {
  const queue = new AppendQueue(database, options);
  const pages = new GroupReads({
    read: (asked: readonly Page[]) => readPages(database, asked),
    maxKeys: MAX_PAGES_AT_ONCE,
  });
  return {
    append: (request) => queue.append(request),
    readAfter: (sessionId, cursor, limit) => pages.get({ sessionId, cursor, limit }),
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
