import type { Sql } from '../../db/index.ts';

/**
 * Writes what a user answered to the satisfaction survey into the conversation's record, as the metric `CSAT_SCORE` of
 * its last turn: 1 to 5, or `skipped` for null. A comment is the metric `CSAT_COMMENT`. A score is in the conversation's row
 * too, with its time. A conversation without turns has nothing to be judged. Source: `rest.md`, CV-12; messaging.md, TBD-3,
 * EXT-7.
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
  await sql.query(
    `WITH judged AS (
       UPDATE conversation_turns
          SET metrics = (metrics::jsonb || $2::jsonb)::json
        WHERE conversation_id = $1
          AND ordinal = (SELECT max(ordinal) FROM conversation_turns WHERE conversation_id = $1)
       RETURNING conversation_id)
     UPDATE conversations SET score = $3, scored_at = $4
       FROM judged WHERE id = judged.conversation_id AND $3::int IS NOT NULL`,
    [
      conversationId,
      JSON.stringify({
        CSAT_SCORE: score ?? 'skipped',
        ...(comment?.trim() && { CSAT_COMMENT: comment.trim() }),
      }),
      score,
      atMs,
    ],
  );
}
