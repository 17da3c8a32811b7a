import { AppendQueue, type AppendQueueOptions } from './append-queue.ts';
import type { AppendRequest, AppendResult } from './append-request.ts';
import { GroupReads } from './group-reads.ts';
import { readLogPages } from './read-log-pages.ts';
import type { Database } from './sql.ts';
import { EVENT_COLUMNS, type EventRow, readEventRow, type StoredEvent } from './stored-event.ts';

/** A part of a session's log. */
export interface LogPage {
  readonly events: readonly StoredEvent[];
  /** Whether the log went on after them when it was read. */
  readonly hasMore: boolean;
}

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
  /**
   * Events after a cursor, ascending, at most `limit`, and at least one but no more than fill a frame or so, however large
   * they are (RPL-2). Reads that are asked for at once share a statement.
   */
  readPage(sessionId: string, cursor: number, limit: number): Promise<LogPage>;
  /** Events after a cursor, ascending: `limit`, or all that there are. */
  readAfter(sessionId: string, cursor: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The session's SESSION_START, or null when there is no such session. */
  readFirst(sessionId: string): Promise<StoredEvent | null>;
  /** Rows waiting to be written or being written. */
  readonly queuedRows: number;
  /** Resolves when everything asked for before the call has been written or refused. */
  drain(): Promise<void>;
}

type Page = { readonly sessionId: string; readonly cursor: number; readonly limit: number };

const MAX_PAGES_AT_ONCE = 64;
// Of one page. Payloads have up to 100 kB, so a count of events alone would let a reader have megabytes read at a time.
const MAX_PAGE_BYTES = 131_072;
// Of all pages of one statement together, unless a single event is larger than its page's share.
const MAX_STATEMENT_BYTES = 2_097_152;

const READ_PAGES = `
  SELECT p.ix::int AS page, e.*
    FROM unnest($1::uuid[], $2::bigint[], $3::int[]) WITH ORDINALITY AS p (session_id, cursor, size, ix)
   CROSS JOIN LATERAL (
     SELECT asked.*, max(asked.sequence) OVER () AS seen, min(asked.sequence) OVER () AS lowest,
            sum(octet_length(payload::text) + coalesce(octet_length(custom::text), 0)) OVER (ORDER BY sequence)::bigint AS bytes
       FROM (SELECT ${EVENT_COLUMNS} FROM events
              WHERE events.session_id = p.session_id AND events.sequence > p.cursor
              ORDER BY events.sequence LIMIT p.size + 1) AS asked
   ) AS e
   WHERE e.bytes <= $4::bigint OR e.sequence = e.lowest
   ORDER BY p.ix, e.sequence`;

async function readPages(database: Database, pages: readonly Page[]): Promise<readonly LogPage[]> {
  const rows = await database.query<EventRow & { readonly page: number; readonly seen: number }>(
    READ_PAGES,
    [
      pages.map(({ sessionId }) => sessionId),
      pages.map(({ cursor }) => cursor),
      pages.map(({ limit }) => limit),
      Math.min(MAX_PAGE_BYTES, Math.floor(MAX_STATEMENT_BYTES / pages.length)),
    ],
    { prepare: true },
  );
  const found = pages.map(() => ({ events: [] as StoredEvent[], seen: 0 }));
  for (const row of rows) {
    const index = row.page - 1;
    const page = found[index];
    // One row more than asked for, which says that there are more.
    if (page === undefined || page.events.length >= (pages[index]?.limit ?? 0)) continue;
    page.events.push(readEventRow(row));
    page.seen = row.seen;
  }
  return found.map(({ events, seen }) => ({ events, hasMore: (events.at(-1)?.sequence ?? seen) < seen }));
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
    readPage: (sessionId, cursor, limit) => pages.get({ sessionId, cursor, limit }),
    async readAfter(sessionId, cursor, limit) {
      const read = (after: number, most: number): Promise<LogPage> =>
        pages.get({ sessionId, cursor: after, limit: most });
      const found: StoredEvent[] = [];
      for await (const { events } of readLogPages(read, cursor)) {
        found.push(...events.slice(0, limit - found.length));
        if (found.length >= limit) break;
      }
      return found;
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
