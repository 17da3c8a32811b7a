import type { Sql, SqlValue } from './sql.ts';

/** Work that waits. */
export interface Backlog {
  /** Counted up to 10,000. */
  readonly count: number;
  /** Since when the oldest of it waits; null: nothing does. */
  readonly oldestAtMs: number | null;
}

// Counting goes no further: a queue of so many says enough.
const MOST = 10_000;

/** Counts the rows of a query that selects since when each of them waits, as `at`. */
export async function readBacklog(sql: Sql, waiting: string, params: readonly SqlValue[]): Promise<Backlog> {
  const [row] = await sql.query<{ readonly count: number; readonly oldest: number | null }>(
    `SELECT count(*) AS count, min(at) AS oldest FROM (${waiting} LIMIT ${MOST}) AS waiting`,
    params,
  );
  return { count: row?.count ?? 0, oldestAtMs: row?.oldest ?? null };
}
