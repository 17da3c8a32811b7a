import type { Sql } from '../../db/index.ts';

/** A conversation that is open now. */
export interface LiveConversation {
  readonly id: string;
  readonly started_at: string;
  readonly language: string;
  readonly variant_name: string;
  readonly channel: string;
  readonly num_turns: number;
  /** Who answers: the automated agent, no one yet, a human agent. */
  readonly state: 'agent' | 'waiting' | 'person';
  /** Beginning of the visitor's last message. */
  readonly last_words: string;
  /** Whether its log can be followed: chats in turns and calls have none. */
  readonly has_log: boolean;
  /** Its open request at the desk; null: there is none. */
  readonly request: {
    readonly id: string;
    readonly status: string;
    readonly person_id: string | null;
    readonly person_name: string | null;
  } | null;
}

/** Conversations that are open now. */
export interface LiveList {
  readonly conversations: readonly LiveConversation[];
  /** Whether more are open. */
  readonly has_more: boolean;
}

/** Which open conversations are listed. Null: all. */
export interface LiveScope {
  readonly projectId: string;
  readonly environment: string;
  readonly language: string | null;
  readonly variantId: string | null;
  /** Who answers: the automated agent, no one yet, a human agent. */
  readonly state: LiveConversation['state'] | null;
  /** Whether transcripts may be shown. */
  readonly showsWords: boolean;
}

/** More are not listed; the list says that there are. */
export const MAX_LIVE = 100;

const LIVE = `
  SELECT * FROM (
    SELECT c.id, c.started_at, coalesce(nullif(s.language, ''), c.language) AS language, c.variant_name, c.channel,
           c.num_turns, s.id IS NOT NULL AS has_log, CASE s.state WHEN 'live' THEN 'person' WHEN 'handoff' THEN 'waiting' ELSE 'agent' END AS state,
           r.id AS request_id, r.status AS request_status, p.id AS person_id, p.name AS person_name
      FROM conversations c
      LEFT JOIN sessions s ON s.conversation_id = c.id
      LEFT JOIN desk_requests r ON r.conversation_id = c.id AND r.ended_at IS NULL
      LEFT JOIN desk_people p ON p.id = r.person_id
     WHERE c.project_id = $1 AND c.environment = $2 AND c.ended_at IS NULL
       AND ($3::text IS NULL OR c.variant_id = $3)) open
   WHERE ($4::text IS NULL OR language = $4) AND ($5::text IS NULL OR state = $5)
   ORDER BY started_at DESC, id LIMIT ${MAX_LIVE + 1}`;

const LAST_WORDS = `
  SELECT asked.id, left(last.user_input, 160) AS words
    FROM unnest($1::text[]) AS asked (id)
   CROSS JOIN LATERAL (
     SELECT user_input
       FROM (SELECT ordinal, user_input FROM conversation_turns
              WHERE conversation_id = asked.id ORDER BY ordinal DESC LIMIT 20) recent
      WHERE user_input <> '' ORDER BY ordinal DESC LIMIT 1) AS last`;

type Row = Omit<LiveConversation, 'started_at' | 'last_words' | 'request'> & {
  readonly started_at: number;
  readonly request_id: string | null;
  readonly request_status: string | null;
  readonly person_id: string | null;
  readonly person_name: string | null;
};

/** The conversations that are open, the newest first. */
export async function listLive(sql: Sql, scope: LiveScope): Promise<LiveList> {
  const { projectId, environment, variantId, language, state } = scope;
  const rows = await sql.query<Row>(LIVE, [projectId, environment, variantId, language, state]);
  const listed = rows.slice(0, MAX_LIVE);
  const ids = scope.showsWords ? listed.map(({ id }) => id) : [];
  const words = new Map(
    (ids.length === 0 ? [] : await sql.query<{ id: string; words: string }>(LAST_WORDS, [ids])).map((row) => [
      row.id,
      row.words,
    ]),
  );
  return {
    conversations: listed.map(
      ({ started_at, request_id, request_status, person_id, person_name, ...row }) => ({
        ...row,
        started_at: new Date(started_at).toISOString(),
        last_words: words.get(row.id) ?? '',
        request:
          request_id === null || request_status === null
            ? null
            : { id: request_id, status: request_status, person_id, person_name },
      }),
    ),
    has_more: rows.length > MAX_LIVE,
  };
}
