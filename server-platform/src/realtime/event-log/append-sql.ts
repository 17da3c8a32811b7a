import { CHANGE_COLUMNS, SPOKEN_COLUMNS, WRITE_CHANGES } from './conversation-sql.ts';
import { EVENT_COLUMNS } from './stored-event.ts';

// One statement, so that sequence numbers, the ownership check and all writes are atomic:
//   share     one row per session of the group
//   request   one row per request, with its position `nr` in the group and its effects on turns and the session
//   repeated  user messages that are already in the log (ECH-4). LIMIT keeps the planner from hashing the whole log,
//             which looks cheap while the log is small. The range of ids prunes partitions, see `rangeOf`
//   counted   all requests, with the number of the share's events and turns up to them; duplicates take no number
//   locked    locks the sessions in the order of their ids, as every statement that locks several does, so that two of
//             them never deadlock. Sorting the array would not do, because the planner chooses the join order
//   moved     takes the sequence numbers, only under the right epoch and in an open session. The row is locked, so a new
//             owner's claim comes either before (then the epoch differs and nothing is written) or after
//   done      all requests; `base` is their first sequence minus one, or null for those that write nothing
//   the rest  inserts, updates and deletes for requests with a `base`. Conversations are locked after the sessions,
//             because `done` determines which ones
//
// The planner must expect many rows from each part that is joined by `nr` or `ix`. If it expects one row, it chooses a
// nested loop, which compares every row with every other and takes half of the time of a group of 256 requests. So outer
// joins keep all requests, the condition on the session is a CASE, and requests that write nothing are excluded by IS NOT
// NULL, which does not reduce the planner's estimate.
const APPEND = `
WITH share AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS t (session_id, epoch, ix)
), request AS MATERIALIZED (
  SELECT *
    FROM unnest($3::bigint[], $4::int[], $5::text[]) WITH ORDINALITY AS r (ix, events, client_key, nr)
    LEFT JOIN json_to_recordset($6::json) AS p (
      nr bigint, state text, conversation_id text, conversation_status text, agent_state text, handoff text,
      language text, vocabulary text, last_activity bigint, ended_at bigint,
      new_turn uuid, new_turn_at bigint, begun_turn uuid, begun_message text, begun_at bigint,
      ended_turn uuid) USING (nr)
), repeated AS MATERIALIZED (
  SELECT request.nr, e.session_id, e.sequence, e.id, e.type, e.payload, e.custom, e.created_at
    FROM request
    JOIN share USING (ix)
    CROSS JOIN LATERAL (
      SELECT * FROM events
       WHERE session_id = share.session_id AND client_event_id = request.client_key
         AND session_id BETWEEN $15::uuid AND $16::uuid
       LIMIT 1
    ) e
   WHERE request.client_key IS NOT NULL
), counted AS MATERIALIZED (
  SELECT request.*, repeated.nr IS NOT NULL AS is_repeated,
         sum(events) FILTER (WHERE repeated.nr IS NULL) OVER upto AS events_upto,
         count(new_turn) FILTER (WHERE repeated.nr IS NULL) OVER upto AS turns_upto
    FROM request
    LEFT JOIN repeated USING (nr)
  WINDOW upto AS (PARTITION BY request.ix ORDER BY nr ROWS UNBOUNDED PRECEDING)
), locked AS MATERIALIZED (
  SELECT id FROM sessions WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
), moved AS (
  UPDATE sessions s
     SET last_sequence = s.last_sequence + j.taken,
         last_turn = s.last_turn + j.turns,
         state = COALESCE(j.state, s.state),
         conversation_id = COALESCE(j.conversation_id, s.conversation_id),
         conversation_status = COALESCE(j.conversation_status, s.conversation_status),
         agent_state = COALESCE(j.agent_state::json, s.agent_state),
         handoff = COALESCE(j.handoff::json, s.handoff),
         language = COALESCE(j.language, s.language),
         vocabulary = COALESCE(j.vocabulary, s.vocabulary),
         last_activity = GREATEST(j.last_activity, s.last_activity),
         ended_at = COALESCE(j.ended_at, s.ended_at, CASE
           WHEN j.state IN ('ended', 'expired') THEN (extract(epoch FROM clock_timestamp()) * 1000)::bigint END)
    FROM (
      -- Only the last request of a share sets fields other than the time of the last activity: max() finds it.
      SELECT share.ix, share.session_id, share.epoch, COALESCE(sum(events), 0)::bigint AS taken,
             count(new_turn)::int AS turns, max(last_activity) AS last_activity, max(state) AS state,
             max(conversation_id) AS conversation_id, max(conversation_status) AS conversation_status,
             max(agent_state) AS agent_state, max(handoff) AS handoff, max(language) AS language,
             max(vocabulary) AS vocabulary, max(ended_at) AS ended_at
        FROM locked
        JOIN share ON share.session_id = locked.id
        LEFT JOIN counted ON counted.ix = share.ix AND NOT is_repeated
       GROUP BY share.ix, share.session_id, share.epoch
    ) j
   WHERE s.id = j.session_id
     AND CASE WHEN s.owner_epoch = j.epoch THEN s.state NOT IN ('ended', 'expired') ELSE false END
  RETURNING j.ix, s.last_sequence - j.taken AS base, s.last_turn - j.turns AS turn_base
), done AS MATERIALIZED (
  SELECT counted.*, share.session_id, m.ix IS NOT NULL AS is_open,
         CASE WHEN NOT is_repeated THEN m.base + events_upto - events END AS base, m.turn_base + turns_upto AS last_turn
    FROM counted
    JOIN share USING (ix)
    LEFT JOIN moved m USING (ix)
), stored AS (
  INSERT INTO events (session_id, sequence, id, type, payload, custom, client_event_id, bytes, created_at)
  SELECT done.session_id, done.base + row.rank, row.id, row.type, row.payload::json, row.custom::json, row.client_key,
         octet_length(row.payload) + coalesce(octet_length(row.custom), 0), row.at
    FROM unnest($7::bigint[], $8::int[], $9::uuid[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[])
      AS row (nr, rank, id, type, payload, custom, client_key, at)
    JOIN done ON done.nr = row.nr
   WHERE base IS NOT NULL
), queued AS (
  INSERT INTO turns (id, session_id, ordinal, input_sequence, queued_at)
  SELECT new_turn, session_id, last_turn, base + 1, new_turn_at
    FROM done
   WHERE new_turn IS NOT NULL AND base IS NOT NULL
), begun AS (
  UPDATE turns t
     SET message_id = done.begun_message, started_at = done.begun_at
    FROM done
   WHERE t.id = done.begun_turn AND t.session_id = done.session_id AND done.base IS NOT NULL
), over AS (
  DELETE FROM turns t
   USING done
   WHERE t.id = done.ended_turn AND t.session_id = done.session_id AND done.base IS NOT NULL
)`;

const OUTCOMES = `
SELECT done.nr, done.is_open, done.base, done.last_turn,
       CASE WHEN NOT done.is_open THEN (SELECT state FROM sessions WHERE id = done.session_id) END AS found_state,
       ${EVENT_COLUMNS.split(', ')
         .map((column) => `r.${column}`)
         .join(', ')}
  FROM done
  LEFT JOIN repeated r USING (nr)`;

/** Appends a group. Returns one row per request. */
export const APPEND_WITH_EFFECTS: string = `${APPEND}${OUTCOMES}`;

/** The same statement, for a group that also changes conversation records. */
export const APPEND_WITH_RECORDS: string = `${APPEND}, change AS MATERIALIZED (
  SELECT c.*
    FROM json_to_recordset($17::json) AS c (${CHANGE_COLUMNS})
    JOIN done ON done.nr = c.nr
   WHERE done.base IS NOT NULL
), spoken AS MATERIALIZED (
  SELECT * FROM json_to_recordset($18::json) AS t (${SPOKEN_COLUMNS})
), ${WRITE_CHANGES}${OUTCOMES}`;

/**
 * The same for groups whose requests need no decision and have no effects, such as chunks: half the database work.
 * Returns rows only for the sessions that were written.
 */
export const APPEND_EVENTS: string = `
WITH share AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::int[]) WITH ORDINALITY AS t (session_id, epoch, plain, ix)
), locked AS MATERIALIZED (
  SELECT id FROM sessions WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
), moved AS (
  UPDATE sessions s
     SET last_sequence = s.last_sequence + share.plain
    FROM locked
    JOIN share ON share.session_id = locked.id
   WHERE s.id = locked.id
     AND CASE WHEN s.owner_epoch = share.epoch THEN s.state NOT IN ('ended', 'expired') ELSE false END
  RETURNING share.ix, share.session_id, s.last_sequence - share.plain AS base
), stored AS (
  INSERT INTO events (session_id, sequence, id, type, payload, custom, bytes, created_at)
  SELECT m.session_id, m.base + row.rank, row.id, row.type, row.payload::json, row.custom::json,
         octet_length(row.payload) + coalesce(octet_length(row.custom), 0), row.at
    FROM unnest($4::bigint[], $5::int[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::bigint[])
      AS row (ix, rank, id, type, payload, custom, at)
    JOIN moved m ON m.ix = row.ix
)
SELECT ix, base FROM moved`;

/** Finds why sessions were not written: their state, by id. A session that is missing in the result does not exist. */
export const FIND_STATES = 'SELECT id, state FROM sessions WHERE id = ANY($1::uuid[])';
