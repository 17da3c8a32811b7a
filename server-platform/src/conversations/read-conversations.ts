import { type Sql, storableText } from '../db/index.ts';

/** A turn as stored. */
export type TurnRow = {
  readonly conversation_id: string;
  readonly user_input: string;
  readonly user_input_dtmf: string;
  readonly user_input_at: number | null;
  readonly barge_in: boolean;
  readonly agent_response: string;
  readonly agent_response_at: number | null;
  readonly intents: readonly string[];
  readonly entities: Readonly<Record<string, string | readonly string[]>>;
  readonly is_ood: boolean;
  readonly is_silence: boolean;
  readonly translated_user_input: string;
  readonly english_agent_response: string;
  readonly latency_ms: number | null;
  readonly metrics: Readonly<Record<string, string | number | boolean>>;
  readonly context_state: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly recorded_at: number;
};

/** A conversation as stored. */
export type ConversationRow = {
  readonly id: string;
  readonly project_id: string;
  readonly variant_id: string;
  readonly variant_name: string;
  readonly environment: string;
  readonly channel: string;
  readonly language: string;
  readonly from_number: string;
  readonly to_number: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly handoff_at: number | null;
  readonly handoff_reason: string | null;
  readonly handoff_destination: string | null;
  readonly agent_left_at: number | null;
  readonly num_turns: number;
  readonly num_silences: number;
  readonly num_ood: number;
};

/** A conversation with its turns. */
export interface StoredConversation {
  readonly row: ConversationRow;
  readonly turns: readonly TurnRow[];
}

const COLUMNS = `id, project_id, variant_id, variant_name, environment, channel, language, from_number, to_number,
  started_at, ended_at, handoff_at, handoff_reason, handoff_destination, agent_left_at, num_turns, num_silences,
  num_ood`;

const TURN_COLUMNS = [
  'conversation_id',
  'user_input',
  'user_input_dtmf',
  'user_input_at',
  'barge_in',
  'agent_response',
  'agent_response_at',
  'intents',
  'entities',
  'is_ood',
  'is_silence',
  'translated_user_input',
  'english_agent_response',
  'latency_ms',
  'metrics',
  'context_state',
  'metadata',
  'recorded_at',
] as const satisfies readonly (keyof TurnRow)[];

/** The conversations with these ids, in this order; one that is gone is left out. */
export async function readConversations(
  sql: Sql,
  ids: readonly string[],
): Promise<readonly StoredConversation[]> {
  if (ids.length === 0) return [];
  // One statement, so that a turn which is written meanwhile is either counted and there, or neither. Turns come as lists
  // of values, because names in every turn would cost the database as much again.
  const rows = await sql.query<ConversationRow & { readonly turns: readonly (readonly unknown[])[] | null }>(
    `SELECT ${COLUMNS}, (
       SELECT json_agg(json_build_array(${TURN_COLUMNS.join(', ')}) ORDER BY ordinal)
         FROM conversation_turns WHERE conversation_id = c.id
     ) AS turns
       FROM conversations c
      WHERE id = ANY($1::text[])`,
    [ids],
  );
  const found = new Map(
    rows.map(({ turns, ...row }) => [row.id, { row, turns: (turns ?? []).map(readTurn) }]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Reads a turn from its values in the order of `TURN_COLUMNS`. */
function readTurn(values: readonly unknown[]): TurnRow {
  return Object.fromEntries(TURN_COLUMNS.map((column, index) => [column, values[index]])) as TurnRow;
}

/** One conversation of a project by its id, or null. */
export async function readConversation(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<StoredConversation | null> {
  const [found] = await readConversations(sql, [storableText(id)]);
  return found === undefined || found.row.project_id !== projectId ? null : found;
}
