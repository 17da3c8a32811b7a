import type { Sql } from '../../db/index.ts';

// Longer than a transaction that erases, and than a handshake that has read the session before it was erased.
const WINDOW_MS = 60_000;

/** The sessions that were erased lately: by this node, by another one, or by the command line. */
export async function listErasedSessions(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.query<{ session_id: string }>(
    `SELECT session_id FROM erasures
      WHERE erased_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${WINDOW_MS}`,
    [],
    { prepare: true },
  );
  return rows.map((row) => row.session_id);
}
