import type { Sql } from '../sql.ts';

/** How often dead rows are cleared away and statistics renewed. */
const VACUUM_INTERVAL_MS = 600_000;

/** How often the write-ahead log is looked at. */
const CHECKPOINT_INTERVAL_MS = 15_000;

/** Size of the write-ahead log, in bytes, past which a checkpoint is made. */
const MAX_WAL_BYTES = 128 * 1024 * 1024;

/** What an ordinary server does in background processes, which the embedded engine does not have. */
export type Maintenance = { readonly stop: () => void };

/**
 * Keeps the embedded database in shape: VACUUM (ANALYZE) because autovacuum never runs, and checkpoints because none
 * happens by itself: the log would grow until the next orderly shutdown, and a start after a crash would replay it all.
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

/** Clears dead rows and renews the planner's statistics. */
export async function clearAway(sql: Sql): Promise<void> {
  await sql.query('VACUUM (ANALYZE)');
}

/** Makes a checkpoint when the log since the last one is longer than `maxBytes`. Resolves with whether it did. */
export async function checkpointIfLong(sql: Sql, maxBytes: number = MAX_WAL_BYTES): Promise<boolean> {
  const [row] = await sql.query<{ bytes: string }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint AS bytes FROM pg_control_checkpoint()',
  );
  if (row === undefined || Number(row.bytes) <= maxBytes) return false;
  await sql.query('CHECKPOINT');
  return true;
}

// The next round tries again, and a database that has stopped is noticed by whoever uses it.
function swallow(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
