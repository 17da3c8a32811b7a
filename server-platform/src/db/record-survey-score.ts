import type { Sql } from './sql.ts';

/**
 * Writes what a user answered to the satisfaction survey into the conversation's record, as the metric `CSAT_SCORE` of
 * its last turn: 1 to 5, or `skipped` for null. A comment is the metric `CSAT_COMMENT`. A conversation without turns has
 * nothing to be judged. Source: `rest.md`, CV-12; messaging.md, TBD-3, EXT-7.
 */
export async function recordSurveyScore(
  sql: Sql,
  conversationId: string,
  score: number | null,
  comment?: string | null,
): Promise<void> {
  await sql.query(
    `UPDATE conversation_turns
        SET metrics = (metrics::jsonb || $2::jsonb)::json
      WHERE conversation_id = $1
        AND ordinal = (SELECT max(ordinal) FROM conversation_turns WHERE conversation_id = $1)`,
    [
      conversationId,
      JSON.stringify({
        CSAT_SCORE: score ?? 'skipped',
        ...(comment?.trim() && { CSAT_COMMENT: comment.trim() }),
      }),
    ],
  );
}
