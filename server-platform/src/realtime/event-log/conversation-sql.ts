// Parts of the statements that write changes of any number of conversations. They read two sets of rows:
//   change    one row per conversation
//   spoken    their turns; a null column stands for an empty text, an empty list or false
// and consist of:
//   started   inserts new conversations, including the values of the same change
//   kept      locks existing conversations in the order of their ids, so that two writers never deadlock. Carries the
//             changes along, because the planner expects one row of each and would join two sets in a nested loop
//   changed   updates them. The row lock lets one writer at a time number turns
//   recorded  inserts the turns, numbered after the existing ones

/** Columns of `change`, as in a `json_to_recordset`. */
export const CHANGE_COLUMNS = `
      nr bigint, id text, started_at bigint, project_id text, connector_id uuid, variant_id text, variant_name text,
      environment text, channel text, language text, from_number text, to_number text, shared_id text,
      handoff_at bigint, handoff_reason text, handoff_destination text, handoff_data text, agent_back boolean,
      person_at bigint,
      ended_at bigint, end_reason text, turns int, silences int, ood int`;

/** Columns of `spoken`. */
export const SPOKEN_COLUMNS = `
      id text, rank int, kind text, user_input text, dtmf text, input_at bigint, barge_in boolean, response text,
      response_at bigint, intents text, entities text, ood boolean, silence boolean, translated text, english text,
      latency int, metrics text, state text, metadata text, failure text, api_errors int,
      function_errors int, at bigint, user_words text, agent_words text`;

/** The writing parts of a `WITH` that has `change` and `spoken`. */
export const WRITE_CHANGES = `started AS (
  INSERT INTO conversations (id, project_id, connector_id, variant_id, variant_name, environment, channel, language,
                             from_number, to_number, shared_id, started_at, ended_at, end_reason, handoff_at,
                             handoff_reason, handoff_destination, handoff_data, agent_left_at, person_at, num_turns, num_silences,
                             num_ood, needs_vector)
  SELECT id, project_id, connector_id, variant_id, variant_name, environment, channel, language, from_number, to_number,
         shared_id, started_at, ended_at, end_reason, handoff_at, handoff_reason, handoff_destination,
         handoff_data::json, CASE WHEN agent_back THEN NULL ELSE handoff_at END, person_at, turns, silences, ood, turns > 0
    FROM change
   WHERE started_at IS NOT NULL
  ON CONFLICT (id) DO NOTHING
  RETURNING id, project_id
), kept AS MATERIALIZED (
  SELECT change.*
    FROM change
    JOIN conversations c ON c.id = change.id
   WHERE change.started_at IS NULL
   ORDER BY c.id
     FOR NO KEY UPDATE OF c
), changed AS (
  UPDATE conversations c
     SET num_turns = c.num_turns + kept.turns,
         num_silences = c.num_silences + kept.silences,
         num_ood = c.num_ood + kept.ood,
         needs_vector = c.needs_vector OR kept.turns > 0,
         language = COALESCE(kept.language, c.language),
         shared_id = COALESCE(kept.shared_id, c.shared_id),
         handoff_at = COALESCE(kept.handoff_at, c.handoff_at),
         handoff_reason = COALESCE(kept.handoff_reason, c.handoff_reason),
         handoff_destination = COALESCE(kept.handoff_destination, c.handoff_destination),
         handoff_data = COALESCE(kept.handoff_data::json, c.handoff_data),
         agent_left_at = CASE WHEN kept.agent_back THEN NULL
                              ELSE COALESCE(kept.handoff_at, c.agent_left_at) END,
         person_at = COALESCE(c.person_at, kept.person_at),
         ended_at = COALESCE(c.ended_at, kept.ended_at),
         end_reason = COALESCE(c.end_reason, kept.end_reason)
    FROM kept
   WHERE c.id = kept.id
  RETURNING c.id, c.project_id, c.num_turns - kept.turns AS before
), recorded AS (
  INSERT INTO conversation_turns (conversation_id, ordinal, kind, user_input, user_input_dtmf, user_input_at, barge_in,
                                  agent_response, agent_response_at, intents, entities, is_ood, is_silence,
                                  translated_user_input, english_agent_response, latency_ms, metrics, context_state,
                                  metadata, failure, api_errors, function_errors, recorded_at, translation_due_at,
                                  user_words, agent_words)
  SELECT t.id, base.before + t.rank, t.kind, COALESCE(t.user_input, ''), COALESCE(t.dtmf, ''), t.input_at,
         COALESCE(t.barge_in, false), COALESCE(t.response, ''), t.response_at, COALESCE(t.intents::json, '[]'),
         COALESCE(t.entities::json, '{}'), COALESCE(t.ood, false), COALESCE(t.silence, false),
         COALESCE(t.translated, ''), COALESCE(t.english, ''), t.latency, COALESCE(t.metrics::json, '{}'),
         t.state::json, COALESCE(t.metadata::json, '{}'), t.failure, COALESCE(t.api_errors, 0),
         COALESCE(t.function_errors, 0), t.at, CASE WHEN p.settings -> 'translation' = 'true'::jsonb THEN t.at END,
         COALESCE(t.user_words, '')::tsvector, COALESCE(t.agent_words, '')::tsvector
    FROM spoken t
    JOIN (SELECT id, project_id, 0 AS before FROM started
          UNION ALL SELECT id, project_id, before FROM changed) base ON base.id = t.id
    LEFT JOIN LATERAL (SELECT settings FROM projects WHERE id = base.project_id) p ON true
)`;
