import type { Sql } from '../../db/index.ts';

// Longer than an erasing transaction, and than a handshake that read the session before its erasure.
const WINDOW_MS = 60_000;

/** Sessions that were erased recently by any node or by the command line. */
export async function listErasedSessions(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.query<{ session_id: string }>(
    `SELECT session_id FROM erasures
      WHERE erased_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${WINDOW_MS}`,
    [],
    { prepare: true },
  );
  return rows.map((row) => row.session_id);
}
