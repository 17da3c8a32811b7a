import type { Sql } from '../../db/index.ts';

/** Work of an account that waits. */
export interface WaitingWork {
  readonly name: string;
  readonly count: number;
  /** Since when the oldest of it waits; null: nothing does. */
  readonly oldest_at: string | null;
}

// Counting goes no further: a queue of so many says enough.
const MOST = 10_000;

const QUEUES: Readonly<Record<string, string>> = {
  'Visitors who wait for a person': `
    SELECT requested_at AS at FROM desk_requests
     WHERE account_id = $1 AND ended_at IS NULL AND status IN ('waiting', 'offered')`,
  'Webhooks to be delivered': `
    SELECT d.created_at AS at FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
     WHERE e.account_id = $1 AND d.state = 'pending'`,
  'Conversations not yet in the search by meaning': `
    SELECT c.started_at AS at FROM conversations c JOIN projects p ON p.id = c.project_id
     WHERE p.account_id = $1 AND c.needs_vector`,
};

/** What waits in an account, each counted up to 10,000. */
export async function readQueues(sql: Sql, accountId: string): Promise<readonly WaitingWork[]> {
  return await Promise.all(
    Object.entries(QUEUES).map(async ([name, waiting]) => {
      const [row] = await sql.query<{ readonly count: number; readonly oldest: number | null }>(
        `SELECT count(*) AS count, min(at) AS oldest FROM (${waiting} LIMIT ${MOST}) AS waiting`,
        [accountId],
      );
      const oldest = row?.oldest ?? null;
      return {
        name,
        count: row?.count ?? 0,
        oldest_at: oldest === null ? null : new Date(oldest).toISOString(),
      };
    }),
  );
}
