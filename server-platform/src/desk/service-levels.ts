import type { InferOutput } from 'valibot';
import type { Sql } from '../db/index.ts';
import { listStarts } from '../kit/time-zone.ts';
import type { levelView, serviceLevelsView } from './api/desk-schemas.ts';
import { readOutcomes } from './outcomes.ts';
import { listQueues } from './queues.ts';
import { readComments, readScores, type Score } from './satisfaction.ts';

/** Which requests are counted, and how. */
export interface ServiceLevelQuery {
  readonly accountId: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Null: every queue. */
  readonly queueId: string | null;
  /** Longest wait for an answer in time. */
  readonly withinSeconds: number;
  /** Time zone of the days and hours. */
  readonly timezone: string;
}

type Level = InferOutput<typeof levelView>;

interface Row {
  readonly start_ms: number | null;
  readonly queue_id: string | null;
  readonly is_total: boolean;
  readonly is_queue: boolean;
  readonly requests: number;
  readonly answered: number;
  readonly answered_in_time: number;
  readonly abandoned: number;
  readonly waiting_ms: number | null;
  readonly waiting_p90_ms: number | null;
  readonly first_answer_ms: number | null;
  readonly first_answer_p95_ms: number | null;
  readonly handling_ms: number | null;
}

const HOUR_MS = 3_600_000;
// Longer spans are shown by day.
const MOST_BY_HOUR_MS = 48 * HOUR_MS;

/**
 * Measures how quickly people answered the requests of a span, how long these took, and their ratings: in total, by
 * queue, and by hour or day.
 */
export async function readServiceLevels(
  sql: Sql,
  query: ServiceLevelQuery,
): Promise<InferOutput<typeof serviceLevelsView>> {
  const { accountId, fromMs, toMs, queueId, withinSeconds, timezone } = query;
  const step = toMs - fromMs <= MOST_BY_HOUR_MS ? 'hour' : 'day';
  const starts = listStarts(step, fromMs, toMs, timezone);
  const rows = await sql.query<Row>(
    `WITH asked AS (
       SELECT queue_id, status, accepted_at, accepted_at - requested_at AS waiting,
              first_message_at - requested_at AS first_answer,
              CASE WHEN ended_at IS NOT NULL THEN ended_at - accepted_at END AS handling,
              ($5::bigint[])[width_bucket(requested_at, $5::bigint[])] AS start_ms
         FROM desk_requests
        WHERE account_id = $1 AND requested_at >= $2 AND requested_at < $3
          AND ($4::uuid IS NULL OR queue_id = $4::uuid))
     SELECT start_ms, queue_id,
            GROUPING(start_ms) = 1 AND GROUPING(queue_id) = 1 AS is_total,
            GROUPING(queue_id) = 0 AS is_queue,
            count(*)::int AS requests,
            count(accepted_at)::int AS answered,
            (count(*) FILTER (WHERE waiting <= $6::bigint))::int AS answered_in_time,
            (count(*) FILTER (WHERE status = 'abandoned'))::int AS abandoned,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY waiting) AS waiting_ms,
            percentile_cont(0.9) WITHIN GROUP (ORDER BY waiting) AS waiting_p90_ms,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY first_answer) AS first_answer_ms,
            percentile_cont(0.95) WITHIN GROUP (ORDER BY first_answer) AS first_answer_p95_ms,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY handling) AS handling_ms
       FROM asked
      GROUP BY GROUPING SETS ((start_ms), (queue_id), ())
      ORDER BY start_ms`,
    [accountId, fromMs, toMs, queueId, starts, withinSeconds * 1_000],
  );
  const asked = { accountId, fromMs, toMs, queueId };
  const [scores, comments, outcomes, queues] = await Promise.all([
    readScores(sql, asked, starts),
    readComments(sql, asked),
    // A conversation that the agent ended alone has no queue.
    queueId === null ? readOutcomes(sql, asked) : null,
    listQueues(sql, accountId),
  ]);
  const total = rows.find(({ is_total: isTotal }) => isTotal);
  const startsMs = [...rows, ...scores].flatMap(({ start_ms: startMs }) => startMs ?? []);
  return {
    ...{ step, within_seconds: withinSeconds },
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    total: toLevel(
      total,
      scores.find(({ is_total: isTotal }) => isTotal),
    ),
    queues: queues.map(({ id, name }) => ({
      ...{ id, name },
      ...toLevel(
        rows.find((row) => row.is_queue && row.queue_id === id),
        scores.find((row) => row.queue_id === id),
      ),
    })),
    spans: [...new Set(startsMs)]
      .sort((one, other) => one - other)
      .map((startMs) => ({
        start: new Date(startMs).toISOString(),
        ...toLevel(
          rows.find((row) => row.start_ms === startMs),
          scores.find((row) => row.start_ms === startMs),
        ),
      })),
    outcomes,
    comments,
  };
}

function toLevel(row: Row | undefined, score: Score | undefined): Level {
  const seconds = (ms: number | null | undefined): number | null =>
    ms === null || ms === undefined ? null : Math.round(ms / 100) / 10;
  return {
    requests: row?.requests ?? 0,
    answered: row?.answered ?? 0,
    answered_in_time: row?.answered_in_time ?? 0,
    abandoned: row?.abandoned ?? 0,
    waiting_seconds: seconds(row?.waiting_ms),
    waiting_p90_seconds: seconds(row?.waiting_p90_ms),
    first_answer_seconds: seconds(row?.first_answer_ms),
    first_answer_p95_seconds: seconds(row?.first_answer_p95_ms),
    handling_seconds: seconds(row?.handling_ms),
    scored: score?.scored ?? 0,
    score: score?.score ?? null,
  };
}
