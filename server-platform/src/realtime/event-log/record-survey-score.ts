import type { Sql } from '../../db/index.ts';

/**
 * Writes the user's answer to the satisfaction survey into the conversation's record, as the metric `CSAT_SCORE` of its
 * last turn: 1 to 5, or `skipped` for null. A comment becomes the metric `CSAT_COMMENT`. A score is also stored in the
 * conversation's row, with its time. Does nothing for a conversation without turns. Source: `rest.md`, CV-12;
 * messaging.md, TBD-3, EXT-7.
 */
export async function recordSurveyScore(
  sql: Sql,
  conversationId: string,
  {
    score,
    comment,
    atMs,
  }: { readonly score: number | null; readonly comment?: string | null | undefined; readonly atMs: number },
): Promise<void> {
  const [turn] = await sql.query<{ readonly ordinal: number; readonly metrics: string }>(
    `SELECT ordinal, metrics::text AS metrics FROM conversation_turns
      WHERE conversation_id = $1 ORDER BY ordinal DESC LIMIT 1 FOR NO KEY UPDATE`,
    [conversationId],
  );
  if (turn === undefined) return;
  // Not merged by the database: `jsonb` rejects U+0000 and lone surrogates.
  const metrics = {
    ...JSON.parse(turn.metrics),
    CSAT_SCORE: score ?? 'skipped',
    ...(comment?.trim() && { CSAT_COMMENT: comment.trim() }),
  };
  await sql.query(
    'UPDATE conversation_turns SET metrics = $3::json WHERE conversation_id = $1 AND ordinal = $2',
    [conversationId, turn.ordinal, JSON.stringify(metrics)],
  );
  if (score === null) return;
  await sql.query('UPDATE conversations SET score = $2, scored_at = $3 WHERE id = $1', [
    conversationId,
    score,
    atMs,
  ]);
}
