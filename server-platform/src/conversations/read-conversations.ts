import { type Sql, storableText } from '../db/index.ts';

/**
 * A turn as stored. What is only passed on is JSON text as the database writes it: a page has thousands of turns, and to
 * read and write them again would take longer than all else. Times are digits, flags `t` or `f`; null is empty.
 */
export interface StoredTurn {
  readonly userInput: string;
  readonly userInputDtmf: string;
  readonly userInputAt: string;
  readonly bargeIn: string;
  readonly agentResponse: string;
  readonly agentResponseAt: string;
  readonly intents: string;
  readonly entities: string;
  readonly isOod: string;
  readonly isSilence: string;
  readonly translatedUserInput: string;
  readonly englishAgentResponse: string;
  readonly latencyMs: string;
  readonly metrics: string;
  readonly contextState: string;
  readonly metadata: string;
  readonly recordedAt: string;
}

/** A conversation as stored, with its turns. Texts are JSON, as in a turn. */
export interface StoredConversation {
  readonly id: string;
  readonly projectId: string;
  readonly variantId: string;
  readonly variantName: string;
  readonly environment: string;
  readonly channel: string;
  readonly language: string;
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly isHandedOff: boolean;
  readonly handoffReason: string;
  readonly handoffDestination: string;
  readonly agentLeftAtMs: number | null;
  readonly numTurns: string;
  readonly numSilences: string;
  readonly numOod: string;
  readonly turns: readonly StoredTurn[];
}

// None of them can be in what they separate: JSON has no control characters but white space.
const CONVERSATION_END = 28;
const HEAD_END = 29;
const TURN_END = 30;
const VALUE_END = 31;

// In the order in which `readConversation` takes them.
const HEAD = [
  'to_json(id)',
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
  'to_json(handoff_reason)',
  'to_json(handoff_destination)',
  'agent_left_at',
  'num_turns',
  'num_silences',
  'num_ood',
];

// In the order in which `readTurn` takes them.
const TURN = [
  'to_json(user_input)',
  'to_json(user_input_dtmf)',
  'user_input_at',
  'barge_in',
  'to_json(agent_response)',
  'agent_response_at',
  'intents',
  'entities',
  'is_ood',
  'is_silence',
  'to_json(translated_user_input)',
  'to_json(english_agent_response)',
  'latency_ms',
  'metrics',
  'context_state',
  'metadata',
  'recorded_at',
];

// One statement, so that a turn which is written meanwhile is either counted and there, or neither. One value, because the
// way of thousands of values costs more than what is in them. The turns of all conversations are read together: to look for
// those of each would take most of the time.
const READ = `
WITH spoken AS (
  SELECT conversation_id, string_agg(turn, chr(${TURN_END})) AS turns
    FROM (SELECT conversation_id, concat(${TURN.join(`, chr(${VALUE_END}), `)}) AS turn
            FROM conversation_turns
           WHERE conversation_id = ANY($1::text[])
           ORDER BY conversation_id, ordinal) ordered
   GROUP BY conversation_id
)
SELECT string_agg(concat(${HEAD.join(`, chr(${VALUE_END}), `)}, chr(${HEAD_END}), spoken.turns),
                  chr(${CONVERSATION_END})) AS found
  FROM conversations c
  LEFT JOIN spoken ON spoken.conversation_id = c.id
 WHERE id = ANY($1::text[])`;

/** The conversations with these ids, in this order; one that is gone is left out. */
export async function readConversations(
  sql: Sql,
  ids: readonly string[],
): Promise<readonly StoredConversation[]> {
  if (ids.length === 0) return [];
  const [row] = await sql.query<{ readonly found: string | null }>(READ, [ids], { prepare: true });
  const texts = row?.found?.split(String.fromCharCode(CONVERSATION_END)) ?? [];
  const found = new Map(texts.map(readText).map((stored) => [stored.id, stored]));
  return ids.flatMap((id) => found.get(JSON.stringify(id)) ?? []);
}

function readText(text: string): StoredConversation {
  const [head = '', turns = ''] = text.split(String.fromCharCode(HEAD_END));
  const values = head.split(String.fromCharCode(VALUE_END));
  const valueAt = (index: number): string => values[index] ?? '';
  return {
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
    turns: turns === '' ? [] : turns.split(String.fromCharCode(TURN_END)).map(readTurn),
  };
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

/** One conversation of a project by its id, or null. */
export async function readConversation(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<StoredConversation | null> {
  const [found] = await readConversations(sql, [storableText(id)]);
  return found === undefined || found.projectId !== JSON.stringify(projectId) ? null : found;
}
