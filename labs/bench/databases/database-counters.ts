import { readFileSync } from 'node:fs';
import type { Database } from '../../../server-platform/src/db/index.ts';

const LOOK_MS = 500;
// What a connection counted is seen by others when it has nothing to do, or half a second later.
const SETTLE_SECONDS = 1.5;

/** Counters of a PostgreSQL server. Commits, flushes and bytes cover the whole server, rows one schema. */
export type DatabaseCounters = {
  readonly commits: number;
  readonly flushes: number;
  /** Of the write-ahead log. */
  readonly bytes: number;
  readonly rows: number;
  /** Of the tables of the schema with their indexes. */
  readonly storedBytes: number;
  /** Processor time of the connections whose application name is that of the schema; Linux, the same machine. */
  readonly databaseMs: number;
};

/** Reads the counters. The connections that are counted have to bear the name of the schema as their application name. */
export async function readDatabaseCounters(
  sql: Database,
  schema: string,
  settleSeconds: number = SETTLE_SECONDS,
): Promise<DatabaseCounters> {
  await sql.query('SELECT pg_sleep($1::float8)', [settleSeconds]);
  const [wal] = await sql.query<{ flushes: number; bytes: string }>(
    'SELECT wal_sync AS flushes, wal_bytes AS bytes FROM pg_stat_wal',
  );
  const [done] = await sql.query<{ commits: number }>(
    'SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()',
  );
  const [tables] = await sql.query<{ rows: string; stored: string }>(
    `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) AS rows, sum(pg_total_relation_size(relid)) AS stored
       FROM pg_stat_user_tables WHERE schemaname = $1`,
    [schema],
  );
  const backends = await listBackends(sql, schema);
  return {
    databaseMs: backends.reduce((sum, pid) => sum + readProcessorMs(pid), 0),
    commits: done?.commits ?? 0,
    flushes: wal?.flushes ?? 0,
    bytes: Number(wal?.bytes),
    rows: Number(tables?.rows),
    storedBytes: Number(tables?.stored),
  };
}

/**
 * Looks at the connections of that application name again and again, so that those that are closed meanwhile count too.
 * `stop` resolves with the processor time that all of them have used since the call.
 */
export function watchProcessors(sql: Database, name: string): { readonly stop: () => Promise<number> } {
  const [first, last] = [new Map<number, number>(), new Map<number, number>()];
  let isFirst = true;
  const look = async (): Promise<void> => {
    for (const pid of await listBackends(sql, name)) {
      const ms = readProcessorMs(pid);
      // A connection that is made later has used nothing before.
      if (!first.has(pid)) first.set(pid, isFirst ? ms : 0);
      last.set(pid, ms);
    }
    isFirst = false;
  };
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_MS);
  return {
    async stop() {
      clearInterval(timer);
      await looking.then(look);
      return [...last].reduce((sum, [pid, ms]) => sum + ms - (first.get(pid) ?? 0), 0);
    },
  };
}

async function listBackends(sql: Database, name: string): Promise<readonly number[]> {
  const rows = await sql.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE application_name = $1',
    [name],
  );
  return rows.map(({ pid }) => pid);
}

/** Processor time of a process since its start, as Linux counts it: in hundredths of a second. */
function readProcessorMs(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    // Another system, or a database on another machine.
    return Number.NaN;
  }
}
