import type { Sql } from '../sql.ts';

/** How often dead rows are vacuumed and outdated statistics renewed. */
const VACUUM_INTERVAL_MS = 600_000;

/** How often the size of the write-ahead log is checked. */
const CHECKPOINT_INTERVAL_MS = 15_000;

/** Size of the write-ahead log, in bytes, that triggers a checkpoint. */
const MAX_WAL_BYTES = 128 * 1024 * 1024;

/** Tables written since the last run or the start. A never analysed table has -1 tuples. */
const CHANGED_TABLES = `
SELECT t.relid::regclass::text AS name, t.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0) AS is_stale
  FROM pg_stat_user_tables t
  JOIN pg_class c ON c.oid = t.relid
 WHERE t.n_dead_tup > 0 OR t.n_ins_since_vacuum > 0 OR t.n_mod_since_analyze > 0`;

/** Replaces a server's background processes, which the embedded engine lacks. */
export type Maintenance = { readonly stop: () => void };

/**
 * Maintains the embedded database: VACUUM and ANALYZE, because autovacuum never runs, and checkpoints, because without
 * them the log would grow until the next orderly shutdown, and a start after a crash would replay all of it.
 */
export function startMaintenance(sql: Sql): Maintenance {
  const vacuum = setInterval(() => swallow(clearAway(sql)), VACUUM_INTERVAL_MS);
  const checkpoint = setInterval(() => swallow(checkpointIfLong(sql)), CHECKPOINT_INTERVAL_MS);
  vacuum.unref();
  checkpoint.unref();
  return {
    stop() {
      clearInterval(vacuum);
      clearInterval(checkpoint);
    },
  };
}

/**
 * Vacuums dead rows, and renews statistics of tables that have changed by a tenth, as autovacuum does. Table by table,
 * so that other statements wait for one table at most: statistics of a large one take half a second.
 */
export async function clearAway(sql: Sql): Promise<void> {
  // The view may lack the counts of the last second.
  await sql.query('SELECT pg_stat_force_next_flush()');
  for (const { name, is_stale } of await sql.query<{ name: string; is_stale: boolean }>(CHANGED_TABLES)) {
    await sql.query(`VACUUM ${is_stale ? '(ANALYZE) ' : ''}${name}`);
  }
}

/** Makes a checkpoint if the log since the last one exceeds `maxBytes`. Resolves with whether it did. */
export async function checkpointIfLong(sql: Sql, maxBytes: number = MAX_WAL_BYTES): Promise<boolean> {
  const [row] = await sql.query<{ bytes: string }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint AS bytes FROM pg_control_checkpoint()',
  );
  if (row === undefined || Number(row.bytes) <= maxBytes) return false;
  await sql.query('CHECKPOINT');
  return true;
}

// The next round tries again, and users of a broken database get its error anyway.
function swallow(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
