import type { AlertMetric, AlertWindow } from '@natter/sdk';
import type { Sql } from '../../db/index.ts';
import { type DeskMetric, readDeskMetric } from '../../desk/index.ts';
import type { StoredAlertRule } from './alert-rule.ts';

/** Length of each window. Source: section 9. */
const WINDOW_MS: Readonly<Record<AlertWindow, number>> = {
  '5m': 5 * 60_000,
  '10m': 10 * 60_000,
  '60m': 60 * 60_000,
};

/** Scope of a metric: an account or one of its projects, after `fromMs` and up to `toMs`, in every environment. */
export type MetricScope = {
  readonly accountId: string;
  readonly projectId: string | null;
  readonly fromMs: number;
  readonly toMs: number;
};

/** Returns the scope of a rule's measurement at a given time. */
export function scopeOf(
  { accountId, projectId, window }: Pick<StoredAlertRule, 'accountId' | 'projectId' | 'window'>,
  nowMs: number,
): MetricScope {
  return { accountId, projectId, fromMs: nowMs - WINDOW_MS[window], toMs: nowMs };
}

/** Reads the value of a metric; null without data. Rejects when it cannot be read. */
export type MetricReader = (sql: Sql, metric: AlertMetric, scope: MetricScope) => Promise<number | null>;

const PROJECTS = 'SELECT id FROM projects WHERE account_id = $1 AND ($2::text IS NULL OR id = $2)';

// The window first, enforced by OFFSET: from its few turns to their conversations. Starting with the account's
// conversations would read all of them, a hundred times slower at 200,000.
const TURNS = `conversation_turns t
    CROSS JOIN LATERAL (SELECT project_id FROM conversations WHERE id = t.conversation_id OFFSET 0) c
    WHERE t.recorded_at > $3 AND t.recorded_at <= $4 AND c.project_id IN (${PROJECTS})`;

// Naming the environments allows the use of the list's index.
const STARTED = `conversations c
    WHERE c.started_at > $3 AND c.started_at <= $4 AND c.project_id IN (${PROJECTS})
      AND c.environment IN ('sandbox', 'pre-release', 'live')`;

// `percentile_disc` is the nearest-rank percentile. Source: AL-6.
const latency = (fraction: number): string =>
  `SELECT percentile_disc(${fraction}) WITHIN GROUP (ORDER BY t.latency_ms)::bigint AS value
     FROM ${TURNS} AND t.latency_ms IS NOT NULL`;

// A conversation is in the window if it starts there or one of its turns ends there.
const count = (counted: string): string =>
  `SELECT coalesce((SELECT ${counted} FROM ${TURNS} HAVING count(*) > 0),
                   CASE WHEN EXISTS (SELECT 1 FROM ${STARTED}) THEN 0 END) AS value`;

const STATEMENTS: Readonly<Record<Exclude<AlertMetric, DeskMetric>, string>> = {
  turn_latency_p50: latency(0.5),
  turn_latency_p95: latency(0.95),
  api_errors: count('sum(t.api_errors)'),
  function_errors: count('sum(t.function_errors)'),
  // A turn without a complete answer is a crash. A conversation counts once, for any number of crashed turns.
  call_crashes: count('count(DISTINCT t.conversation_id) FILTER (WHERE t.failure IS NOT NULL)'),
  call_volume: `SELECT count(*) AS value FROM ${STARTED}`,
};

/**
 * Reads a metric; null without data: no turns for latencies, no conversations for counts. The volume is never null.
 * Source: AL-6, AL-8, AL-11.
 */
export const readMetric: MetricReader = async (sql, metric, scope) => {
  if (metric === 'desk_wait_time' || metric === 'desk_people_available')
    return await readDeskMetric(sql, metric, scope);
  const { accountId, projectId, fromMs, toMs } = scope;
  const params = [accountId, projectId, fromMs, toMs];
  const [row] = await sql.query<{ value: number | null }>(STATEMENTS[metric], params);
  return row?.value ?? null;
};
