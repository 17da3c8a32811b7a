import type { Sql } from '../../db/index.ts';
import type { StoredHead, StoredTurn, TurnSummary } from './stored-conversation.ts';

// Statements that read conversations and turns as separated texts, and parsers of these texts.

/** Bytes of stored turns read at a time. As JSON, and with a large turn at their end, several times as much. */
export const PIECE_BYTES = 524_288;
// For one long conversation. On the embedded database others wait for a statement: about 5 ms.
const PAGE_BYTES = 131_072;
// A visitor's message is never cut, because its frame is shorter. Answers, merged messages and translations may be
// longer.
const MAX_TEXT_CHARACTERS = 131_072;
// For one value written by the agent, such as its variables.
const MAX_JSON_BYTES = 65_536;
// Per turn, because names and values of metrics are collected individually.
const MAX_METRICS_BYTES = 8_192;
// Maximum number of turns per statement, however short they are.
const TURNS_AT_ONCE = 2_000;

// These cannot occur in the separated texts: JSON contains no control characters except white space.
const CONVERSATION_END = 28;
const HEAD_END = 29;
const TURN_END = 30;
const VALUE_END = 31;

// In the order in which `readFound` reads them.
const HEAD = [
  'to_json(c.id)',
  'to_json(project_id)',
  'to_json(variant_id)',
  'to_json(variant_name)',
  'to_json(environment)',
  'to_json(channel)',
  'to_json(language)',
  'to_json(from_number)',
  'to_json(to_number)',
  'started_at',
  'ended_at',
  'handoff_at',
  'to_json(left(handoff_reason, 1024))',
  'to_json(left(handoff_destination, 1024))',
  'agent_left_at',
  'num_turns',
  'num_silences',
  'num_ood',
  'size',
  'is_read',
];

// A cut text ends with a marker. Counting characters requires decompressing a long text.
const cutText = (column: string): string =>
  `to_json(CASE WHEN octet_length(${column}) > ${MAX_TEXT_CHARACTERS} AND char_length(${column}) > ${MAX_TEXT_CHARACTERS}
     THEN left(${column}, ${MAX_TEXT_CHARACTERS}) || ' [cut: ' || char_length(${column}) || ' characters]' ELSE ${column} END)`;
const cutJson = (column: string, instead: string, max: number = MAX_JSON_BYTES): string =>
  `CASE WHEN octet_length(${column}::text) > ${max} THEN '${instead}' ELSE ${column}::text END`;

const TEXTS = ['user_input', 'agent_response', 'translated_user_input', 'english_agent_response'];
const JSONS = ['metrics', 'context_state', 'intents', 'entities', 'metadata'];
const sizeOfJson = (column: string): string =>
  `least(coalesce(octet_length(${column}::text), 0), ${MAX_JSON_BYTES})`;
// A text's length is known without decompressing it. A character takes up to 4 bytes.
const TURN_SIZE = [
  ...TEXTS.map((column) => `least(octet_length(${column}), ${4 * MAX_TEXT_CHARACTERS})`),
  ...JSONS.map(sizeOfJson),
].join(' + ');
const TURN_SUMMARY_SIZE = `20 + ${sizeOfJson('metrics')}`;

const METRICS = cutJson('metrics', '{"CUT":true}', MAX_METRICS_BYTES);
const CONTEXT_STATE = cutJson('context_state', '{"cut":true}');

// In the order in which `readTurn` reads them.
const TURN = [
  cutText('user_input'),
  'to_json(left(user_input_dtmf, 1024))',
  'user_input_at',
  'barge_in',
  cutText('agent_response'),
  'agent_response_at',
  cutJson('intents', '["cut"]'),
  cutJson('entities', '{"cut":"true"}'),
  'is_ood',
  'is_silence',
  cutText('translated_user_input'),
  cutText('english_agent_response'),
  'latency_ms',
  METRICS,
  CONTEXT_STATE,
  cutJson('metadata', '{"cut":true}'),
  'recorded_at',
];

// In the order in which `readFacts` reads them.
const TURN_SUMMARY = ['coalesce(user_input_at, agent_response_at, recorded_at)', METRICS];

// One statement, so that a turn written meanwhile is both counted and returned, or neither. One value, because
// transferring thousands of values costs more than their content. All conversations' turns are read together, because
// separate lookups would take most of the time, and without ORDER BY a planner without statistics reads the whole
// table. Reads the turns of the first conversations, as many as fill a piece.
const READ = `
WITH sized AS (
  SELECT conversation_id, sum(size) AS size
    FROM (SELECT conversation_id, ${TURN_SIZE} AS size
            FROM conversation_turns
           WHERE conversation_id = ANY($1::text[])
           ORDER BY conversation_id, ordinal) each_turn
   GROUP BY conversation_id
), wanted AS MATERIALIZED (
  SELECT w.id, coalesce(size, 0) AS size, sum(coalesce(size, 0)) OVER (ORDER BY ix) <= ${PIECE_BYTES} AS is_read
    FROM unnest($1::text[]) WITH ORDINALITY AS w (id, ix)
    LEFT JOIN sized ON conversation_id = w.id
), spoken AS (
  SELECT conversation_id, string_agg(turn, chr(${TURN_END})) AS turns
    FROM (SELECT conversation_id, concat(${TURN.join(`, chr(${VALUE_END}), `)}) AS turn
            FROM conversation_turns
           WHERE conversation_id = ANY(ARRAY(SELECT id FROM wanted WHERE is_read))
           ORDER BY conversation_id, ordinal) ordered
   GROUP BY conversation_id
)
SELECT string_agg(concat(${HEAD.join(`, chr(${VALUE_END}), `)}, chr(${HEAD_END}), spoken.turns), chr(${CONVERSATION_END})) AS found
  FROM conversations c
  JOIN wanted ON wanted.id = c.id
  LEFT JOIN spoken ON spoken.conversation_id = c.id`;

/** Reads the turns of one conversation after `$2` and up to `$3`: as many as fill a page, but at least one. */
const pageOf = (columns: readonly string[], size: string): string => `
SELECT string_agg(concat(${columns.join(`, chr(${VALUE_END}), `)}), chr(${TURN_END}) ORDER BY ordinal) AS found,
       max(ordinal) AS last
  FROM (SELECT *, sum(${size}) OVER (ORDER BY ordinal) - (${size}) AS before
          FROM (SELECT * FROM conversation_turns
                 WHERE conversation_id = $1 AND ordinal > $2 AND ordinal <= $3
                 ORDER BY ordinal LIMIT ${TURNS_AT_ONCE}) t) sized
 WHERE before < ${PAGE_BYTES}`;
const READ_PAGE = pageOf(TURN, TURN_SIZE);
const READ_TURN_SUMMARIES = pageOf(TURN_SUMMARY, TURN_SUMMARY_SIZE);

const LAST_STATE = `
SELECT ${CONTEXT_STATE} AS state FROM conversation_turns
 WHERE conversation_id = $1 AND ordinal <= $2 AND context_state IS NOT NULL
 ORDER BY ordinal DESC LIMIT 1`;

/** A conversation; `turns` is null if they did not fit into the piece. */
export interface FoundConversation {
  readonly id: string;
  readonly head: StoredHead;
  readonly size: number;
  readonly turns: readonly StoredTurn[] | null;
}

/** Reads the conversations with these ids in this order, without deleted ones. */
export async function readBatch(sql: Sql, ids: readonly string[]): Promise<readonly FoundConversation[]> {
  const [row] = await sql.query<{ readonly found: string | null }>(READ, [ids], { prepare: true });
  const texts = row?.found?.split(String.fromCharCode(CONVERSATION_END)) ?? [];
  const found = new Map(texts.map(readFound).map((each) => [each.id, each]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Some turns of a conversation, and the number of the last one. */
export interface TurnsPage {
  readonly turns: readonly StoredTurn[];
  readonly last: number;
}

/** Identifies a conversation and the number of its turns. */
type Bounds = Pick<StoredHead, 'id' | 'numTurns'>;

/** Reads the turns after a number, page by page. */
export async function* readTurnPages(
  sql: Sql,
  bounds: Bounds,
  after = 0,
): AsyncGenerator<TurnsPage, void, undefined> {
  for await (const { texts, last } of readPages(sql, READ_PAGE, bounds, after))
    yield { turns: texts.map(readTurn), last };
}

/** Reads the fields of turns that summary fields are computed from, page by page. */
export async function* readTurnSummaryPages(
  sql: Sql,
  bounds: Bounds,
): AsyncGenerator<
  { readonly summaries: readonly TurnSummary[]; readonly characters: number },
  void,
  undefined
> {
  for await (const { texts } of readPages(sql, READ_TURN_SUMMARIES, bounds, 0))
    yield {
      summaries: texts.map(readTurnSummary),
      characters: texts.reduce((sum, text) => sum + text.length, 0),
    };
}

/** The variables after the last turn that has any. */
export async function readLastState(sql: Sql, { id, numTurns }: Bounds): Promise<string> {
  const [last] = await sql.query<{ readonly state: string }>(LAST_STATE, [JSON.parse(id), Number(numTurns)]);
  return last?.state ?? '{}';
}

async function* readPages(
  sql: Sql,
  statement: string,
  { id, numTurns }: Bounds,
  after: number,
): AsyncGenerator<{ readonly texts: readonly string[]; readonly last: number }, void, undefined> {
  let cursor = after;
  for (;;) {
    const [page] = await sql.query<{ readonly found: string | null; readonly last: number | null }>(
      statement,
      [JSON.parse(id), cursor, Number(numTurns)],
    );
    if (page?.found == null || page.last === null) return;
    yield { texts: page.found.split(String.fromCharCode(TURN_END)), last: page.last };
    cursor = page.last;
  }
}

function readFound(text: string): FoundConversation {
  const [first = '', turns = ''] = text.split(String.fromCharCode(HEAD_END));
  const values = first.split(String.fromCharCode(VALUE_END));
  const valueAt = (index: number): string => values[index] ?? '';
  const head: StoredHead = {
    id: valueAt(0),
    projectId: valueAt(1),
    variantId: valueAt(2),
    variantName: valueAt(3),
    environment: valueAt(4),
    channel: valueAt(5),
    language: valueAt(6),
    fromNumber: valueAt(7),
    toNumber: valueAt(8),
    startedAtMs: Number(valueAt(9)),
    endedAtMs: readTime(valueAt(10)),
    isHandedOff: valueAt(11) !== '',
    handoffReason: valueAt(12),
    handoffDestination: valueAt(13),
    agentLeftAtMs: readTime(valueAt(14)),
    numTurns: valueAt(15),
    numSilences: valueAt(16),
    numOod: valueAt(17),
  };
  const read = turns === '' ? [] : turns.split(String.fromCharCode(TURN_END)).map(readTurn);
  return {
    id: JSON.parse(head.id),
    head,
    size: Number(valueAt(18)),
    turns: valueAt(19) === 't' ? read : null,
  };
}

function readTurnSummary(text: string): TurnSummary {
  const [at = '', metrics = ''] = text.split(String.fromCharCode(VALUE_END));
  return { at, metrics };
}

function readTime(digits: string): number | null {
  return digits === '' ? null : Number(digits);
}

function readTurn(text: string): StoredTurn {
  const values = text.split(String.fromCharCode(VALUE_END));
  const valueAt = (index: number): string => values[index] ?? '';
  return {
    userInput: valueAt(0),
    userInputDtmf: valueAt(1),
    userInputAt: valueAt(2),
    bargeIn: valueAt(3),
    agentResponse: valueAt(4),
    agentResponseAt: valueAt(5),
    intents: valueAt(6),
    entities: valueAt(7),
    isOod: valueAt(8),
    isSilence: valueAt(9),
    translatedUserInput: valueAt(10),
    englishAgentResponse: valueAt(11),
    latencyMs: valueAt(12),
    metrics: valueAt(13),
    contextState: valueAt(14),
    metadata: valueAt(15),
    recordedAt: valueAt(16),
  };
}
