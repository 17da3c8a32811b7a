import type { Sql } from '../../db/index.ts';

/**
 * Lets only one retention run at a time in a database, because two nodes may be elected for a moment. False: another
 * one is running. Held until the transaction ends.
 */
export async function takeRetentionLock(sql: Sql): Promise<boolean> {
  // The schema is part of the key: several platforms may share a database.
  const [row] = await sql.query<{ is_ours: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended('natter retention ' || current_schema(), 0)) AS is_ours",
  );
  return row?.is_ours === true;
}
