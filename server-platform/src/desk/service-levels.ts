import type { InferOutput } from 'valibot';
import type { Sql } from '../db/index.ts';
import type { levelView, serviceLevelsView } from './desk-schemas.ts';
import { listQueues } from './queues.ts';

/** Which requests are counted, and how. */
export interface ServiceLevelQuery {
  readonly accountId: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Null: every queue. */
  readonly queueId: string | null;
  /** Answered in time: so soon after it was asked for. */
  readonly withinSeconds: number;
  /** Whose days and hours they are. */
  readonly timezone: string;
}

type Level = InferOutput<typeof levelView>;

interface Row {
  readonly start_ms: string | null;
  readonly queue_id: string | null;
  readonly is_total: boolean;
  readonly is_queue: boolean;
  readonly requests: number;
  readonly answered: number;
  readonly answered_in_time: number;
  readonly abandoned: number;
  readonly waiting_ms: number | null;
  readonly waiting_p90_ms: number | null;
  readonly handling_ms: number | null;
}

const HOUR_MS = 3_600_000;
// Longer spans are shown by day.
const MOST_BY_HOUR_MS = 48 * HOUR_MS;

/** How soon people answered what came in a span, and how long they took: in total, by queue, and by hour or day. */
export async function readServiceLevels(
  sql: Sql,
  query: ServiceLevelQuery,
): Promise<InferOutput<typeof serviceLevelsView>> {
  const { accountId, fromMs, toMs, queueId, withinSeconds, timezone } = query;
  const step = toMs - fromMs <= MOST_BY_HOUR_MS ? 'hour' : 'day';
  const rows = await sql.query<Row>(
    `WITH asked AS (
       SELECT queue_id, status, accepted_at, accepted_at - requested_at AS waiting,
              CASE WHEN ended_at IS NOT NULL THEN ended_at - accepted_at END AS handling,
              (extract(epoch FROM date_trunc($5::text, to_timestamp(requested_at / 1000.0), $6::text)) * 1000)::bigint
                AS start_ms
         FROM desk_requests
        WHERE account_id = $1 AND requested_at >= $2 AND requested_at < $3
          AND ($4::uuid IS NULL OR queue_id = $4::uuid))
     SELECT start_ms, queue_id,
            GROUPING(start_ms) = 1 AND GROUPING(queue_id) = 1 AS is_total,
            GROUPING(queue_id) = 0 AS is_queue,
            count(*)::int AS requests,
            count(accepted_at)::int AS answered,
            (count(*) FILTER (WHERE waiting <= $7::bigint))::int AS answered_in_time,
            (count(*) FILTER (WHERE status = 'abandoned'))::int AS abandoned,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY waiting) AS waiting_ms,
            percentile_cont(0.9) WITHIN GROUP (ORDER BY waiting) AS waiting_p90_ms,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY handling) AS handling_ms
       FROM asked
      GROUP BY GROUPING SETS ((start_ms), (queue_id), ())
      ORDER BY start_ms`,
    [accountId, fromMs, toMs, queueId, step, timezone, withinSeconds * 1_000],
  );
  const queues = await listQueues(sql, accountId);
  const total = rows.find(({ is_total: isTotal }) => isTotal);
  return {
    ...{ step, within_seconds: withinSeconds },
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    total: toLevel(total),
    queues: queues.map(({ id, name }) => ({
      ...{ id, name },
      ...toLevel(rows.find((row) => row.is_queue && row.queue_id === id)),
    })),
    spans: rows.flatMap((row) =>
      row.start_ms === null ? [] : [{ start: new Date(Number(row.start_ms)).toISOString(), ...toLevel(row) }],
    ),
  };
}

function toLevel(row: Row | undefined): Level {
  const seconds = (ms: number | null | undefined): number | null =>
    ms === null || ms === undefined ? null : Math.round(ms / 100) / 10;
  return {
    requests: row?.requests ?? 0,
    answered: row?.answered ?? 0,
    answered_in_time: row?.answered_in_time ?? 0,
    abandoned: row?.abandoned ?? 0,
    waiting_seconds: seconds(row?.waiting_ms),
    waiting_p90_seconds: seconds(row?.waiting_p90_ms),
    handling_seconds: seconds(row?.handling_ms),
  };
}
