import type { Sql } from './sql.ts';

/** The server's version, and the size of the database on its disk. */
export async function readServer(
  sql: Sql,
): Promise<{ readonly version: string; readonly sizeBytes: number }> {
  const [row] = await sql.query<{ readonly version: string; readonly bytes: number }>(
    "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes",
  );
  return { version: row?.version ?? '', sizeBytes: row?.bytes ?? 0 };
}
