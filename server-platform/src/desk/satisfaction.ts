import type { InferOutput } from 'valibot';
import { listProjectsWithoutTranscripts } from '../accounts/index.ts';
import type { Sql } from '../db/index.ts';
import type { serviceLevelsView } from './api/desk-schemas.ts';
import type { ServiceLevelQuery } from './service-levels.ts';

type Asked = Pick<ServiceLevelQuery, 'accountId' | 'fromMs' | 'toMs' | 'queueId'>;

/** Survey results: in total, of a queue, or of the hour or day that begins at `start_ms`. */
export interface Score {
  readonly start_ms: number | null;
  readonly queue_id: string | null;
  readonly is_total: boolean;
  readonly scored: number;
  readonly score: number;
}

const DAY_MS = 86_400_000;
const MAX_COMMENTS = 50;

// A conversation's queue is the one whose person answered, or else that of the last request. Conversations handed off
// more than a day before their rating have none.
const RATED = `
  asked AS (
    SELECT DISTINCT ON (conversation_id) conversation_id, queue_id FROM desk_requests
     WHERE account_id = $1 AND requested_at >= $2::bigint - ${DAY_MS} AND requested_at < $3
     ORDER BY conversation_id, accepted_at IS NULL, requested_at DESC
  ), rated AS (
    SELECT c.id, c.project_id, c.score, c.scored_at, asked.queue_id FROM conversations c
      LEFT JOIN asked ON asked.conversation_id = c.id
     WHERE c.project_id IN (SELECT id FROM projects WHERE account_id = $1) AND c.environment = 'live'
       AND c.scored_at >= $2 AND c.scored_at < $3
       AND ($4::uuid IS NULL OR asked.queue_id = $4::uuid)
  )`;

/** Reads the counts and averages of survey scores: in total, by queue, and by the spans that begin at `starts`. */
export async function readScores(
  sql: Sql,
  { accountId, fromMs, toMs, queueId }: Asked,
  starts: readonly number[],
): Promise<readonly Score[]> {
  return await sql.query<Score>(
    `WITH ${RATED}, placed AS (
       SELECT queue_id, score, ($5::bigint[])[width_bucket(scored_at, $5::bigint[])] AS start_ms FROM rated)
     SELECT start_ms, queue_id, GROUPING(start_ms) = 1 AND GROUPING(queue_id) = 1 AS is_total,
            count(*)::int AS scored, round(avg(score), 2)::float8 AS score
       FROM placed GROUP BY GROUPING SETS ((start_ms), (queue_id), ()) HAVING count(*) > 0`,
    [accountId, fromMs, toMs, queueId, starts],
  );
}

/** Reads the newest 50 comments; none of projects with `show_transcripts` off. */
export async function readComments(
  sql: Sql,
  { accountId, fromMs, toMs, queueId }: Asked,
): Promise<InferOutput<typeof serviceLevelsView>['comments']> {
  const withheld = await listProjectsWithoutTranscripts(sql, accountId);
  const rows = await sql.query<{ id: string; slug: string; metrics: string; score: number; at: number }>(
    // Starts with the newest, so that only the necessary turns are read.
    `WITH ${RATED}, readable AS MATERIALIZED (
       SELECT * FROM rated WHERE project_id <> ALL($5::text[]) ORDER BY scored_at DESC, id)
     SELECT readable.id, p.slug, t.metrics::text AS metrics, score, scored_at AS at FROM readable
       JOIN projects p ON p.id = project_id
       JOIN LATERAL (SELECT metrics FROM conversation_turns WHERE conversation_id = readable.id
                      ORDER BY ordinal DESC LIMIT 1) t ON t.metrics::text LIKE '%"CSAT_COMMENT"%'
      ORDER BY scored_at DESC, readable.id LIMIT ${MAX_COMMENTS}`,
    [accountId, fromMs, toMs, queueId, [...withheld]],
  );
  return rows.map(({ id, slug, metrics, score, at }) => ({
    conversation_id: id,
    project: slug,
    score,
    text: String(JSON.parse(metrics).CSAT_COMMENT),
    at: new Date(at).toISOString(),
  }));
}
