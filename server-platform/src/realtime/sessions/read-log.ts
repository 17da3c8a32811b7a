import type { OutgoingEvent } from 'natter/protocol';
import type { Database } from '../../db/index.ts';
import { toOutgoing } from '../conversation/index.ts';
import { type EventLog, type LogPage, readLogPages } from '../event-log/index.ts';

const SPOKEN = [
  'EVENT_TYPE_USER_MESSAGE',
  'EVENT_TYPE_AGENT_MESSAGE',
  'EVENT_TYPE_LIVE_AGENT_MESSAGE',
  'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
] as const;

// A chunk of a few words takes ten times its text's length in the log.
const LOG_BYTES = 10;
// Only the beginning of a longer event is read.
const MAX_EVENT_BYTES = 16_384;
const MAX_EVENTS = 5_000;

const READ_LAST = `
SELECT sequence, type, CASE WHEN bytes <= ${MAX_EVENT_BYTES} THEN payload END AS payload,
       CASE WHEN bytes > ${MAX_EVENT_BYTES} THEN left(payload::text, ${MAX_EVENT_BYTES}) END AS beginning
  FROM (SELECT *, sum(least(bytes, ${MAX_EVENT_BYTES})) OVER (ORDER BY sequence DESC) AS upto
          FROM (SELECT sequence, type, payload, bytes FROM events
                 WHERE session_id = $1 AND type = ANY($2::text[])
                 ORDER BY sequence DESC LIMIT ${MAX_EVENTS}) last) sized
 WHERE upto <= $3 + ${MAX_EVENT_BYTES}
 ORDER BY sequence`;

/** Returns the most recent messages of a session, oldest first: slightly more than a history of `historyBytes`. */
export async function readLastMessages(
  database: Database,
  sessionId: string,
  historyBytes: number,
): Promise<readonly OutgoingEvent[]> {
  const rows = await database.query<{
    readonly sequence: number;
    readonly type: OutgoingEvent['type'];
    readonly payload: OutgoingEvent['payload'] | null;
    readonly beginning: string | null;
  }>(READ_LAST, [sessionId, [...SPOKEN], historyBytes * LOG_BYTES]);
  return rows.map(({ sequence, type, payload, beginning }) => ({
    id: '',
    sequence,
    timestampMs: 0,
    type,
    payload: payload ?? { text: readBeginning(beginning ?? ''), is_complete: true },
    custom: null,
  }));
}

/**
 * Extracts the beginning of the text from a truncated payload. Not done by the database, which rejects U+0000 in texts.
 */
function readBeginning(json: string): string {
  const [, written = ''] = /"text": ?"((?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*)/.exec(json) ?? [];
  return JSON.parse(`"${written}"`);
}

const READ_LATEST = `
SELECT e.sequence, e.id, e.type, e.created_at, e.custom,
       CASE WHEN e.type <> 'EVENT_TYPE_USER_MESSAGE' THEN e.payload END AS payload
  FROM (SELECT type, max(sequence) AS sequence FROM events
         WHERE session_id = $1 AND type = ANY($2::text[]) GROUP BY type) latest
  JOIN events e ON e.session_id = $1 AND e.sequence = latest.sequence`;

/** Returns the last event of each of these types. Visitor messages come without their text. */
export async function readLatest<Type extends OutgoingEvent['type']>(
  database: Database,
  sessionId: string,
  types: readonly Type[],
): Promise<ReadonlyMap<Type, OutgoingEvent & { readonly sequence: number }>> {
  const rows = await database.query<{
    readonly sequence: number;
    readonly id: string;
    readonly type: Type;
    readonly created_at: number;
    readonly custom: OutgoingEvent['custom'];
    readonly payload: OutgoingEvent['payload'] | null;
  }>(READ_LATEST, [sessionId, [...types]]);
  return new Map(
    rows.map(({ sequence, id, type, created_at, custom, payload }) => [
      type,
      { sequence, id, type, timestampMs: created_at, custom, payload: payload ?? {} },
    ]),
  );
}

/** Reads the events after a sequence, page by page. */
export async function* readEventsAfter(
  log: EventLog,
  sessionId: string,
  after: number,
): AsyncGenerator<OutgoingEvent, void, undefined> {
  const read = (cursor: number, limit: number): Promise<LogPage> => log.readPage(sessionId, cursor, limit);
  for await (const { events } of readLogPages(read, after))
    for (const event of events) yield toOutgoing(event);
}

/** How many bytes the log of a session holds. */
export async function countLoggedBytes(database: Database, sessionId: string): Promise<number> {
  const [row] = await database.query<{ readonly bytes: number }>(
    'SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM events WHERE session_id = $1',
    [sessionId],
  );
  return row?.bytes ?? 0;
}
