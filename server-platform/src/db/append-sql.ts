import { EVENT_COLUMNS } from './stored-event.ts';

// One statement, so that numbers are taken, the owner is checked and rows are written at one instant:
//   share     one row per session of the group
//   repeated  user messages that are in the log already (ECH-4). LIMIT keeps the planner from reading the whole log to
//             hash it, which looks cheap while the log is small
//   locked    locks the sessions in the order of their ids, as every statement does that locks several: two of them
//             never wait for each other in a circle. A sorted array would not do, the planner joins as it likes
//   moved     takes the numbers: only under the right epoch, only in an open session. The row is locked, so a new owner's
//             claim comes either before (then the epoch differs and nothing is written) or after
//   the rest  inserts and updates what `moved` let through

/** Appends a group. Answers with one row per share. */
export const APPEND_WITH_EFFECTS: string = `
WITH share AS MATERIALIZED (
  SELECT *
    FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::int[], $5::text[])
    WITH ORDINALITY AS t (session_id, epoch, plain, tail, client_key, ix)
), patch AS MATERIALIZED (
  SELECT *
    FROM json_to_recordset($6::json) AS p (
      ix bigint, state text, conversation_id text, conversation_status text, agent_state text, handoff text,
      language text, vocabulary text, last_activity bigint, ended_at bigint,
      new_turn uuid, new_turn_at bigint,
      turn uuid, turn_state text, turn_message text, turn_started bigint, turn_finished bigint, turn_latency int,
      turn_record text)
), repeated AS MATERIALIZED (
  SELECT share.ix, e.session_id, e.sequence, e.id, e.type, e.payload, e.custom, e.created_at
    FROM share
    CROSS JOIN LATERAL (
      SELECT * FROM events WHERE session_id = share.session_id AND client_event_id = share.client_key LIMIT 1
    ) e
   WHERE share.client_key IS NOT NULL
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
      SELECT share.ix, share.session_id, share.epoch, share.plain, r.ix IS NULL AS is_fresh,
             share.plain + CASE WHEN r.ix IS NULL THEN share.tail ELSE 0 END AS taken,
             CASE WHEN p.new_turn IS NULL THEN 0 ELSE 1 END AS turns,
             p.state, p.conversation_id, p.conversation_status, p.agent_state, p.handoff, p.language, p.vocabulary,
             p.last_activity, p.ended_at
        FROM locked
        JOIN share ON share.session_id = locked.id
        LEFT JOIN repeated r ON r.ix = share.ix
        LEFT JOIN patch p ON p.ix = share.ix AND r.ix IS NULL
    ) j
   WHERE s.id = j.session_id
     AND s.owner_epoch = j.epoch
     AND s.state NOT IN ('ended', 'expired')
  RETURNING j.ix, j.session_id, j.plain, j.is_fresh, s.last_sequence - j.taken AS base, s.last_turn
), stored AS (
  INSERT INTO events (session_id, sequence, id, type, payload, custom, client_event_id, bytes, created_at)
  SELECT m.session_id, m.base + row.rank, row.id, row.type, row.payload::json, row.custom::json, row.client_key,
         octet_length(row.payload) + coalesce(octet_length(row.custom), 0), row.at
    FROM unnest($7::bigint[], $8::int[], $9::uuid[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[])
      AS row (ix, rank, id, type, payload, custom, client_key, at)
    JOIN moved m ON m.ix = row.ix
   WHERE m.is_fresh OR row.rank <= m.plain
), queued AS (
  INSERT INTO turns (id, session_id, ordinal, input_sequence, state, queued_at)
  SELECT p.new_turn, m.session_id, m.last_turn, m.base + m.plain + 1, 'queued', p.new_turn_at
    FROM moved m
    JOIN patch p ON p.ix = m.ix
   WHERE m.is_fresh AND p.new_turn IS NOT NULL
), turned AS (
  UPDATE turns t
     SET state = COALESCE(p.turn_state, t.state),
         message_id = COALESCE(p.turn_message, t.message_id),
         started_at = COALESCE(p.turn_started, t.started_at),
         finished_at = COALESCE(p.turn_finished, t.finished_at),
         latency_ms = COALESCE(p.turn_latency, t.latency_ms),
         record = COALESCE(p.turn_record::json, t.record)
    FROM moved m
    JOIN patch p ON p.ix = m.ix
   WHERE t.id = p.turn AND t.session_id = m.session_id AND m.is_fresh
)
SELECT share.ix, m.base, m.is_fresh, m.last_turn, s.state AS found_state,
       ${EVENT_COLUMNS.split(', ')
         .map((column) => `r.${column}`)
         .join(', ')}
  FROM share
  LEFT JOIN moved m ON m.ix = share.ix
  LEFT JOIN repeated r ON r.ix = share.ix
  LEFT JOIN sessions s ON m.ix IS NULL AND s.id = share.session_id`;

/**
 * The same for a group in which nobody needs a decision or changes anything else, as chunks do: half the work for the
 * database. Answers only for the sessions it wrote to.
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
     AND s.owner_epoch = share.epoch
     AND s.state NOT IN ('ended', 'expired')
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

/** Why sessions were not written to: the state they are in, by id; a session that is missing does not exist. */
export const FIND_STATES = 'SELECT id, state FROM sessions WHERE id = ANY($1::uuid[])';
