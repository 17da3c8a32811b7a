import type { ConversationChange, ConversationTurn } from './conversation-change.ts';
import { searchWords } from './search-words.ts';
import type { Sql } from './sql.ts';
import { storableText } from './storable-text.ts';

// One statement for any number of conversations:
//   change   one row per conversation of this write, turn their turns
//   started  new conversations with what this write already adds to them
//   locked   locks those that are there, in the order of their ids: two writers never wait for each other in a circle
//   moved    changes them. The row's lock gives the turns' numbers to one writer at a time
//   the rest the turns, numbered after those there are
const WRITE = `
WITH change AS MATERIALIZED (
  SELECT *
    FROM json_to_recordset($1::json) AS c (
      id text, started_at bigint, project_id text, connector_id uuid, variant_id text, variant_name text,
      environment text, channel text, language text, from_number text, to_number text, shared_id text,
      handoff_at bigint, handoff_reason text, handoff_destination text, handoff_data text, agent_back boolean,
      ended_at bigint, end_reason text, turns int, silences int, ood int)
), turn AS MATERIALIZED (
  SELECT *
    FROM json_to_recordset($2::json) AS t (
      id text, rank int, kind text, user_input text, dtmf text, input_at bigint, barge_in boolean, response text,
      response_at bigint, intents text, entities text, ood boolean, silence boolean, translated text, english text,
      latency int, metrics text, state text, metadata text, failure text, api_errors int,
      function_errors int, at bigint, user_words text, agent_words text)
), started AS (
  INSERT INTO conversations (id, project_id, connector_id, variant_id, variant_name, environment, channel, language,
                             from_number, to_number, shared_id, started_at, ended_at, end_reason, handoff_at,
                             handoff_reason, handoff_destination, handoff_data, agent_left_at, num_turns, num_silences,
                             num_ood, needs_vector)
  SELECT id, project_id, connector_id, variant_id, variant_name, environment, channel, language, from_number, to_number,
         shared_id, started_at, ended_at, end_reason, handoff_at, handoff_reason, handoff_destination,
         handoff_data::json, CASE WHEN agent_back THEN NULL ELSE handoff_at END, turns, silences, ood, turns > 0
    FROM change
   WHERE started_at IS NOT NULL
  ON CONFLICT (id) DO NOTHING
  RETURNING id, project_id
), locked AS MATERIALIZED (
  SELECT c.id
    FROM conversations c
    JOIN change ON change.id = c.id AND change.started_at IS NULL
   ORDER BY c.id
     FOR NO KEY UPDATE OF c
), moved AS (
  UPDATE conversations c
     SET num_turns = c.num_turns + change.turns,
         num_silences = c.num_silences + change.silences,
         num_ood = c.num_ood + change.ood,
         needs_vector = c.needs_vector OR change.turns > 0,
         language = COALESCE(change.language, c.language),
         shared_id = COALESCE(change.shared_id, c.shared_id),
         handoff_at = COALESCE(change.handoff_at, c.handoff_at),
         handoff_reason = COALESCE(change.handoff_reason, c.handoff_reason),
         handoff_destination = COALESCE(change.handoff_destination, c.handoff_destination),
         handoff_data = COALESCE(change.handoff_data::json, c.handoff_data),
         agent_left_at = CASE WHEN change.agent_back THEN NULL
                              ELSE COALESCE(change.handoff_at, c.agent_left_at) END,
         ended_at = COALESCE(c.ended_at, change.ended_at),
         end_reason = COALESCE(c.end_reason, change.end_reason)
    FROM locked
    JOIN change ON change.id = locked.id
   WHERE c.id = locked.id
  RETURNING c.id, c.project_id, c.num_turns - change.turns AS before
)
INSERT INTO conversation_turns (conversation_id, ordinal, kind, user_input, user_input_dtmf, user_input_at, barge_in,
                                agent_response, agent_response_at, intents, entities, is_ood, is_silence,
                                translated_user_input, english_agent_response, latency_ms, metrics, context_state,
                                metadata, failure, api_errors, function_errors, recorded_at, translation_due_at, user_words,
                                agent_words)
SELECT t.id, base.before + t.rank, t.kind, t.user_input, t.dtmf, t.input_at, t.barge_in, t.response, t.response_at,
       t.intents::json, t.entities::json, t.ood, t.silence, t.translated, t.english, t.latency, t.metrics::json,
       t.state::json, t.metadata::json, t.failure, t.api_errors, t.function_errors, t.at,
       CASE WHEN p.settings -> 'translation' = 'true'::jsonb THEN t.at END, t.user_words::tsvector, t.agent_words::tsvector
  FROM turn t
  JOIN (SELECT id, project_id, 0 AS before FROM started
        UNION ALL SELECT id, project_id, before FROM moved) base ON base.id = t.id
  LEFT JOIN LATERAL (SELECT settings FROM projects WHERE id = base.project_id) p ON true`;

/**
 * Writes what happened in conversations, in one statement. Every channel records through it, in the transaction that
 * stores what it tells its user, so that the record survives whatever the conversation survives.
 *
 * A change without `start` of a conversation that was never started writes nothing. At most one change per
 * conversation. Fails with a `DatabaseError`; then nothing was written.
 *
 * @example
 * await database.tx((sql) => writeConversations(sql, [{ id, start, turns: [greeting] }]));
 */
export async function writeConversations(sql: Sql, changes: readonly ConversationChange[]): Promise<void> {
  if (changes.length === 0) return;
  const turns = changes.flatMap(({ id, turns = [] }) =>
    turns.map((turn, index) => toTurnRow(id, index + 1, turn)),
  );
  await sql.query(WRITE, [JSON.stringify(changes.map(toChangeRow)), JSON.stringify(turns)], {
    prepare: true,
  });
}

function toChangeRow(change: ConversationChange): object {
  const { id, start, turns = [], handoff, end } = change;
  const language = change.language ?? start?.language;
  return {
    id,
    started_at: start?.atMs,
    project_id: start?.projectId,
    connector_id: start?.connectorId,
    variant_id: clean(start?.variantId),
    variant_name: clean(start?.variantName),
    environment: clean(start?.environment),
    channel: clean(start?.channel),
    language: clean(language),
    from_number: clean(start?.fromNumber),
    to_number: clean(start?.toNumber),
    shared_id: clean(handoff?.sharedId ?? start?.sharedId ?? undefined),
    handoff_at: handoff?.atMs,
    handoff_reason: clean(handoff?.reason),
    handoff_destination: clean(handoff?.destination),
    handoff_data: handoff === undefined ? undefined : JSON.stringify(handoff.data ?? {}),
    agent_back: change.isAgentBack ?? false,
    ended_at: end?.atMs,
    end_reason: end?.reason,
    turns: turns.length,
    silences: turns.filter(({ isSilence }) => isSilence === true).length,
    ood: turns.filter(({ isOod }) => isOod === true).length,
  };
}

function toTurnRow(id: string, rank: number, turn: ConversationTurn): object {
  const { userInput = '', agentResponse, latencyMs = null } = turn;
  return {
    id,
    rank,
    kind: turn.kind,
    user_input: storableText(userInput),
    dtmf: storableText(turn.userInputDtmf ?? ''),
    input_at: turn.userInputAtMs,
    barge_in: turn.bargeIn ?? false,
    response: storableText(agentResponse),
    response_at: turn.agentResponseAtMs,
    // JSON within JSON, as text: json_to_recordset would otherwise unescape the inner strings and refuse U+0000.
    intents: JSON.stringify(turn.intents ?? []),
    entities: JSON.stringify(turn.entities ?? {}),
    ood: turn.isOod ?? false,
    silence: turn.isSilence ?? false,
    translated: storableText(turn.translatedUserInput ?? ''),
    english: storableText(turn.englishAgentResponse ?? ''),
    latency: latencyMs === null ? null : Math.round(latencyMs),
    metrics: JSON.stringify(turn.metrics ?? {}),
    state: turn.contextState === undefined ? undefined : JSON.stringify(turn.contextState),
    metadata: JSON.stringify(turn.metadata ?? {}),
    failure: turn.failure ?? null,
    api_errors: turn.apiErrors ?? 0,
    function_errors: turn.functionErrors ?? 0,
    at: turn.atMs,
    user_words: searchWords(userInput).join(' '),
    agent_words: searchWords(agentResponse).join(' '),
  };
}

function clean(text: string | undefined): string | undefined {
  return text === undefined ? undefined : storableText(text);
}
