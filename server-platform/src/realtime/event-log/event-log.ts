import type { Database } from '../../db/index.ts';
import { BatchLoader } from '../../db/index.ts';
import { AppendQueue, type AppendQueueOptions } from './append-queue.ts';
import type { AppendRequest, AppendResult } from './append-request.ts';
import { rangeOf } from './event-partitions.ts';
import { readLogPages } from './read-log-pages.ts';
import { EVENT_COLUMNS, type EventRow, readEventRow, type StoredEvent } from './stored-event.ts';

/** A page of a session's log. */
export interface LogPage {
  readonly events: readonly StoredEvent[];
  /** Whether the log had further events when it was read. */
  readonly hasMore: boolean;
}

/** The log of all sessions' events, the source of truth. */
export interface EventLog {
  /**
   * Stores the events of one request and resolves when they are committed: the returned events may be sent.
   *
   * Requests of one session are written in the order of the calls. All sessions share commits: requests that arrive
   * during a commit go into the next one. Rejects with a `DatabaseError`: `overloaded` (nothing was written),
   * `unavailable` (they may have been written: read the log again before you continue) or another (nothing was
   * written).
   */
  append(request: AppendRequest): Promise<AppendResult>;
  /**
   * Returns events after a cursor, ascending, at most `limit` and at most about as many bytes as fit into a frame, but
   * at least one (RPL-2). Concurrent reads share a statement.
   */
  readPage(sessionId: string, cursor: number, limit: number): Promise<LogPage>;
  /** Returns events after a cursor, ascending: at most `limit`, or all. */
  readAfter(sessionId: string, cursor: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Rows waiting to be written or being written. */
  readonly queuedRows: number;
  /** Resolves when everything asked for before the call has been written or refused. */
  drain(): Promise<void>;
}

type Page = { readonly sessionId: string; readonly cursor: number; readonly limit: number };

const MAX_PAGES_AT_ONCE = 64;
// Per page. Payloads have up to 100 kB, so a limit on events alone would let a reader load megabytes at a time.
const MAX_PAGE_BYTES = 131_072;
// For all pages of one statement: about 10 ms on the embedded database, during which all appends wait.
const MAX_STATEMENT_BYTES = 1_048_576;

// Sizes are stored beside the payloads, so that only returned payloads are read. If the first event of a page exceeds
// the statement's limit, the page consists of that event without its payload.
const READ_PAGES = `
  SELECT page, session_id, sequence, id, type, custom, created_at, seen, is_read,
         CASE WHEN is_read THEN payload END AS payload
    FROM (
      SELECT p.ix::int AS page, e.*,
             p.ix = 1 OR sum(e.size) OVER (ORDER BY p.ix, e.sequence) <= $5::bigint AS is_read
        FROM unnest($1::uuid[], $2::bigint[], $3::int[]) WITH ORDINALITY AS p (session_id, cursor, size, ix)
       CROSS JOIN LATERAL (
         SELECT sized.*, max(sequence) OVER () AS seen, min(sequence) OVER () AS lowest,
                sum(size) OVER (ORDER BY sequence) AS total
           FROM (SELECT ${EVENT_COLUMNS}, bytes AS size
                   FROM events
                  WHERE events.session_id = p.session_id AND events.sequence > p.cursor
                    AND events.session_id BETWEEN $6::uuid AND $7::uuid
                  ORDER BY events.sequence LIMIT p.size + 1) AS sized
       ) AS e
       WHERE e.total <= $4::bigint OR e.sequence = e.lowest
    ) AS found
   WHERE is_read OR sequence = lowest
   ORDER BY page, sequence`;

type PageRow = EventRow & { readonly page: number; readonly seen: number; readonly is_read: boolean };

/** Returns the pages that fit into one statement, and null for the others. The first one is always read. */
async function readPages(database: Database, asked: readonly Page[]): Promise<readonly (LogPage | null)[]> {
  // The sockets of one session mostly request the same page.
  const pages = new Map(asked.map((page) => [keyOf(page), page]));
  const different = [...pages.values()];
  const rows = await database.query<PageRow>(
    READ_PAGES,
    [
      different.map(({ sessionId }) => sessionId),
      different.map(({ cursor }) => cursor),
      different.map(({ limit }) => limit),
      Math.min(MAX_PAGE_BYTES, Math.floor(MAX_STATEMENT_BYTES / different.length)),
      MAX_STATEMENT_BYTES,
      ...rangeOf(different.map(({ sessionId }) => sessionId)),
    ],
    { prepare: true },
  );
  const found = different.map(() => ({ events: [] as StoredEvent[], seen: 0, isCut: false }));
  for (const row of rows) {
    const index = row.page - 1;
    const page = found[index];
    // One extra row, which shows that more follow.
    if (page === undefined || page.events.length >= (different[index]?.limit ?? 0)) continue;
    if (row.is_read) page.events.push(readEventRow(row));
    else page.isCut = page.events.length === 0;
    page.seen = row.seen;
  }
  const read = found.map(({ events, seen, isCut }) =>
    isCut ? null : { events, hasMore: (events.at(-1)?.sequence ?? seen) < seen },
  );
  const places = new Map([...pages.keys()].map((key, index) => [key, index]));
  return asked.map((page) => read[places.get(keyOf(page)) ?? 0] ?? null);
}

function keyOf({ sessionId, cursor, limit }: Page): string {
  return `${sessionId} ${cursor} ${limit}`;
}

/** Opens the log on a migrated database. One per process. */
export function createEventLog(database: Database, options: AppendQueueOptions = {}): EventLog {
  const queue = new AppendQueue(database, options);
  const pages = new BatchLoader({
    read: (asked: readonly Page[]) => readPages(database, asked),
    maxKeys: MAX_PAGES_AT_ONCE,
  });
  const readPage = async (sessionId: string, cursor: number, limit: number): Promise<LogPage> => {
    for (;;) {
      const page = await pages.get({ sessionId, cursor, limit });
      if (page !== null) return page;
    }
  };
  return {
    append: (request) => queue.append(request),
    readPage,
    async readAfter(sessionId, cursor, limit) {
      const read = (after: number, most: number): Promise<LogPage> => readPage(sessionId, after, most);
      const found: StoredEvent[] = [];
      for await (const { events } of readLogPages(read, cursor)) {
        found.push(...events.slice(0, limit - found.length));
        if (found.length >= limit) break;
      }
      return found;
    },
    get queuedRows() {
      return queue.queuedRows;
    },
    drain: () => queue.drain(),
  };
}
