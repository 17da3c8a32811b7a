import { listProjectsWithoutTranscripts } from '../../accounts/index.ts';
import { readableJson, type Sql, storableText } from '../../db/index.ts';
import { INDEXED_CHARACTERS } from '../../realtime/event-log/index.ts';
import type { Person } from '../../staff/index.ts';
import {
  type DeskRequest,
  findRequest,
  listLatestRequests,
  listOpenRequests,
  listRecentRequests,
} from '../requests.ts';
import { canRead, canSee } from './rights.ts';

// Reading all text of this many took the embedded database a quarter to half a second on a busy machine with two cores.
const SEARCHED = 500;
// Visitors can make conversations long. The database runs other statements between two of these.
const PIECE = 25;
const LATEST = 500;
const MAX_EVENT_BYTES = 16_384;
const FOUND = 20;
const MAX_WORDS = 10;

/** Results of a search. */
export interface FoundRequests {
  /**
   * At most 20, newest first. Reads a conversation's latest 500 turns and messages, and the beginning of long messages.
   */
  readonly requests: readonly DeskRequest[];
  /** Names that visitors' pages gave, by the id of the request. */
  readonly visitors: Readonly<Record<string, string>>;
}

/**
 * Finds requests with every word of a text among those that a person may see: in ids, queue, person, tags and notes,
 * and, if they may read the conversation, in its messages and the metadata of the visitor's page.
 */
export async function findRequests(sql: Sql, person: Person, text: string): Promise<FoundRequests> {
  const words = storableText(text).toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const [first] = words;
  if (first === undefined) return { requests: [], visitors: {} };
  const [named, open, past, withheld] = await Promise.all([
    findRequest(sql, person.accountId, first),
    listOpenRequests(sql, person.accountId),
    person.role === 'agent'
      ? listRecentRequests(sql, person.id, SEARCHED)
      : listLatestRequests(sql, person.accountId, SEARCHED),
    listProjectsWithoutTranscripts(sql, person.accountId),
  ]);
  const candidates = [...(named === null ? [] : [named]), ...open, ...past].filter((request) =>
    canSee(person, request),
  );
  const left = [...new Map(candidates.map((request) => [request.id, request])).values()].toSorted(
    (a, b) => b.requestedAtMs - a.requestedAtMs,
  );
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const requests: DeskRequest[] = [];
  const visitors: Record<string, string> = {};
  while (left.length > 0 && requests.length < FOUND) {
    const piece = left.splice(0, PIECE);
    const rows = await sql.query<{ readonly id: string; readonly visitor: string | null }>(FIND, [
      piece.map(({ id }) => id),
      piece.map((request) => canRead(person, request, !withheld.has(request.projectId))),
      patterns,
    ]);
    const found = new Map(rows.map(({ id, visitor }) => [id, visitor]));
    for (const request of piece) {
      const visitor = found.get(request.id);
      if (visitor === undefined || requests.length === FOUND) continue;
      requests.push(request);
      if (visitor !== null) visitors[request.id] = visitor;
    }
  }
  return { requests, visitors };
}

const FIND = `
  SELECT asked.id, page.context ->> 'name' AS visitor
    FROM unnest($1::text[], $2::boolean[]) AS asked (id, may_read)
    JOIN desk_requests r ON r.id = asked.id
    JOIN desk_queues q ON q.id = r.queue_id
    LEFT JOIN desk_people p ON p.id = r.person_id
    LEFT JOIN LATERAL (
      SELECT state -> 'page_context' AS context
        FROM (SELECT ${readableJson('agent_state')} AS state FROM sessions
               WHERE id = r.session_id AND asked.may_read) s
       WHERE json_typeof(state -> 'page_context') = 'object'
    ) page ON true
   CROSS JOIN LATERAL (
     SELECT concat_ws(' ', r.id, r.conversation_id, q.name, p.name,
       (SELECT string_agg(tag, ' ') FROM jsonb_array_elements_text(r.tags) tag),
       (SELECT string_agg(n.text, ' ') FROM desk_notes n WHERE n.session_id = r.session_id),
       (SELECT string_agg(attribute.value, ' ') FROM json_each_text(page.context) attribute),
       (SELECT string_agg(concat_ws(' ', left(t.user_input, ${INDEXED_CHARACTERS}),
           left(t.agent_response, ${INDEXED_CHARACTERS})), ' ') FROM (
         SELECT user_input, agent_response FROM conversation_turns
          WHERE asked.may_read AND conversation_id = r.conversation_id ORDER BY ordinal DESC LIMIT ${LATEST}) t),
       (SELECT string_agg(e.payload ->> 'text', ' ') FROM (
         SELECT ${readableJson('payload')} AS payload FROM events
          WHERE asked.may_read AND session_id = r.session_id AND bytes <= ${MAX_EVENT_BYTES}
            AND type IN ('EVENT_TYPE_USER_MESSAGE', 'EVENT_TYPE_LIVE_AGENT_MESSAGE')
          ORDER BY sequence DESC LIMIT ${LATEST}) e)) AS words
   ) said
   WHERE said.words ILIKE ALL ($3::text[])`;
