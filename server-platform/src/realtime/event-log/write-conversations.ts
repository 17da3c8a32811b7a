import type { Sql } from '../../db/index.ts';
import { storableText } from '../../db/index.ts';
import type { ConversationChange, ConversationTurn } from './conversation-change.ts';
import { CHANGE_COLUMNS, SPOKEN_COLUMNS, WRITE_CHANGES } from './conversation-sql.ts';
import { searchWords } from './search-words.ts';

const WRITE = `
WITH change AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS c (${CHANGE_COLUMNS})
), spoken AS MATERIALIZED (
  SELECT * FROM json_to_recordset($2::json) AS t (${SPOKEN_COLUMNS})
), ${WRITE_CHANGES}
SELECT 1 AS done`;

/**
 * Writes changes of conversations in one statement. Every channel records through it, in the transaction that stores
 * the user's events, so that the record is as durable as the conversation.
 *
 * A change without `start` for a conversation that was never started is ignored. At most one change per conversation.
 * Fails with a `DatabaseError`; then nothing was written.
 *
 * @example
 * await database.tx((sql) => writeConversations(sql, [{ id, start, turns: [greeting] }]));
 */
export async function writeConversations(sql: Sql, changes: readonly ConversationChange[]): Promise<void> {
  if (changes.length === 0) return;
  await sql.query(WRITE, [JSON.stringify(changes.map(toChangeRow)), JSON.stringify(toTurnRows(changes))], {
    prepare: true,
  });
}

/** Converts turns of changes to statement rows. */
export function toTurnRows(changes: readonly ConversationChange[]): readonly object[] {
  return changes.flatMap(({ id, turns = [] }) => turns.map((turn, index) => toTurnRow(id, index + 1, turn)));
}

/** Converts a change to a statement row. */
export function toChangeRow(change: ConversationChange): object {
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
    person_at: change.personAtMs,
    ended_at: end?.atMs,
    end_reason: end?.reason,
    turns: turns.length,
    silences: turns.filter(({ isSilence }) => isSilence === true).length,
    ood: turns.filter(({ isOod }) => isOod === true).length,
  };
}

/** Omits fields that most turns lack, because they would be half of the data that the database parses. */
function toTurnRow(id: string, rank: number, turn: ConversationTurn): object {
  const { userInput = '', agentResponse, latencyMs } = turn;
  return {
    id,
    rank,
    kind: turn.kind,
    user_input: unlessEmpty(userInput),
    dtmf: unlessEmpty(turn.userInputDtmf),
    input_at: turn.userInputAtMs ?? undefined,
    barge_in: turn.bargeIn || undefined,
    response: unlessEmpty(agentResponse),
    response_at: turn.agentResponseAtMs ?? undefined,
    // JSON within JSON, as text: json_to_recordset would otherwise unescape the inner strings and refuse U+0000.
    intents: turn.intents?.length ? JSON.stringify(turn.intents) : undefined,
    entities: unlessNone(turn.entities),
    ood: turn.isOod || undefined,
    silence: turn.isSilence || undefined,
    translated: unlessEmpty(turn.translatedUserInput),
    english: unlessEmpty(turn.englishAgentResponse),
    latency: typeof latencyMs === 'number' ? Math.round(latencyMs) : undefined,
    metrics: unlessNone(turn.metrics),
    state: turn.contextState === undefined ? undefined : JSON.stringify(turn.contextState),
    metadata: unlessNone(turn.metadata),
    failure: turn.failure ?? undefined,
    api_errors: turn.apiErrors || undefined,
    function_errors: turn.functionErrors || undefined,
    at: turn.atMs,
    user_words: unlessEmpty(searchWords(userInput).join(' ')),
    agent_words: unlessEmpty(searchWords(agentResponse).join(' ')),
  };
}

function unlessEmpty(text = ''): string | undefined {
  return text === '' ? undefined : storableText(text);
}

function unlessNone(values: object = {}): string | undefined {
  return Object.keys(values).length === 0 ? undefined : JSON.stringify(values);
}

function clean(text: string | undefined): string | undefined {
  return text === undefined ? undefined : storableText(text);
}
