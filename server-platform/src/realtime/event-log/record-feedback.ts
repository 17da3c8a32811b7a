import type { Sql } from '../../db/index.ts';

/** Metadata field of a turn with the answer's id as the reader's client knows it. */
export const ANSWER_ID = 'answer_id';

/** Metric of a turn that holds the reader's rating of the answer. */
const METRIC = 'FEEDBACK';

/** Identifies a turn by conversation and number. */
export interface AnsweredTurn {
  readonly conversationId: string;
  readonly ordinal: number;
}

/** Returns the turn whose answer has this id; `null` if the conversation has none. */
export async function findAnsweredTurn(
  sql: Sql,
  conversationId: string,
  messageId: string,
): Promise<AnsweredTurn | null> {
  // No answer has such an id, and the database rejects U+0000.
  if (messageId.includes('\0')) return null;
  const [row] = await sql.query<{ readonly ordinal: number }>(
    `SELECT ordinal FROM conversation_turns WHERE conversation_id = $1 AND metadata ->> '${ANSWER_ID}' = $2`,
    [conversationId, messageId],
  );
  return row === undefined ? null : { conversationId, ordinal: row.ordinal };
}

/**
 * Writes a reader's rating of a turn's answer as the metric `FEEDBACK` of that turn: JSON of the turn's number, the
 * rating and the reason. Replaces an earlier rating; `null` removes it. Source: EXT-3; `rest.md`, CV-12.
 */
export async function recordFeedback(
  sql: Sql,
  { conversationId, ordinal }: AnsweredTurn,
  { rating, reason }: { readonly rating: 'up' | 'down' | null; readonly reason: string | null },
): Promise<void> {
  const key = [conversationId, ordinal];
  const [row] = await sql.query<{ readonly metrics: string }>(
    `SELECT metrics::text AS metrics FROM conversation_turns
      WHERE conversation_id = $1 AND ordinal = $2 FOR NO KEY UPDATE`,
    key,
  );
  if (row === undefined) return;
  // Not merged by the database: `jsonb` rejects U+0000, which an agent's metrics may contain.
  const { [METRIC]: _earlier, ...others }: Readonly<Record<string, unknown>> = JSON.parse(row.metrics);
  const feedback = rating && { [METRIC]: JSON.stringify({ turn: ordinal, rating, reason }) };
  await sql.query(
    'UPDATE conversation_turns SET metrics = $3::json WHERE conversation_id = $1 AND ordinal = $2',
    [...key, JSON.stringify({ ...others, ...feedback })],
  );
}
