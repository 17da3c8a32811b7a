import type { AlertMetric } from '@natter/sdk';
import type { Sql } from '../db/index.ts';
import { listPeople } from '../staff/index.ts';
import { isQueueOpen, listQueues } from './queues.ts';

/** A metric of the desk. */
export type DeskMetric = Extract<AlertMetric, `desk_${string}`>;

/** An account or one of its projects, after `fromMs` and up to `toMs`. */
interface Scope {
  readonly accountId: string;
  readonly projectId: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

const DAY_MS = 86_400_000;

/** Reads a metric of the desk; null without data. Source: AL-11. */
export async function readDeskMetric(sql: Sql, metric: DeskMetric, scope: Scope): Promise<number | null> {
  return metric === 'desk_wait_time' ? await readWaitSeconds(sql, scope) : await countAvailable(sql, scope);
}

/** The longest time that a visitor waited for the first person, in seconds. A wait of more than a day may be left out. */
async function readWaitSeconds(sql: Sql, { accountId, projectId, fromMs, toMs }: Scope): Promise<number> {
  const [row] = await sql.query<{ readonly seconds: number }>(
    // Each part reads an index: the open requests, and those of the last day.
    `SELECT coalesce(max(waited) / 1000, 0)::int AS seconds FROM (
       SELECT $4::bigint - requested_at AS waited FROM desk_requests
        WHERE account_id = $1 AND ($2::text IS NULL OR project_id = $2)
          AND ended_at IS NULL AND accepted_at IS NULL
       UNION ALL
       SELECT coalesce(accepted_at, ended_at) - requested_at FROM desk_requests
        WHERE account_id = $1 AND ($2::text IS NULL OR project_id = $2)
          AND requested_at > $3::bigint - ${DAY_MS} AND coalesce(accepted_at, ended_at) > $3::bigint) waits`,
    [accountId, projectId, fromMs, toMs],
  );
  return Math.max(row?.seconds ?? 0, 0);
}

/** The people of open queues who were available in the span; null while every queue is closed. */
async function countAvailable(sql: Sql, { accountId, fromMs, toMs }: Scope): Promise<number | null> {
  const [queues, people] = await Promise.all([listQueues(sql, accountId), listPeople(sql, accountId)]);
  const openIds = queues.filter((queue) => isQueueOpen(queue, toMs)).map(({ id }) => id);
  if (openIds.length === 0) return null;
  return people.filter(
    ({ presence, seenAtMs, disabledAtMs, queueIds }) =>
      presence === 'available' &&
      disabledAtMs === null &&
      seenAtMs > fromMs &&
      queueIds.some((id) => openIds.includes(id)),
  ).length;
}
