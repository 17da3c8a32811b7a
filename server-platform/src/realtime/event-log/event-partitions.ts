import { dayOf, firstIdOfDay, startOfDay } from '../../db/ids/index.ts';
import type { Database, Sql } from '../../db/index.ts';
import { quoteIdentifier } from '../../db/index.ts';

/** The partition for sessions without a day. */
const DEFAULT_PARTITION = 'events_default';

// While a statement waits for this lock, all readers and writers of events queue behind it.
const LOCK_WAIT_MS = 250;
// PostgreSQL cancels an automatic vacuum that has blocked another statement for a second (`deadlock_timeout`). Reads and writes do
// not conflict with this lock.
const VACUUM_WAIT_MS = 2_000;

/** Error code of a statement on partitions that could not get its lock; nothing was changed. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** The days that have a partition of `events`, oldest first. */
export async function listEventPartitions(sql: Sql): Promise<readonly number[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'events'::regclass ORDER BY 1`,
  );
  return rows.flatMap(({ name }) => dayOfPartition(name) ?? []);
}

/** `events_2026_11_28`. */
export function partitionOfDay(day: number): string {
  return `events_${new Date(startOfDay(day)).toISOString().slice(0, 10).replaceAll('-', '_')}`;
}

/** The day of a partition table; null for any other table. */
export function dayOfPartition(table: string): number | null {
  const [, date] = /^events_(\d{4}_\d\d_\d\d)$/.exec(table) ?? [];
  return date === undefined ? null : dayOf(Date.parse(date.replaceAll('_', '-')));
}

/**
 * Returns the smallest and largest id. Statements name them beside the ids themselves, because PostgreSQL prunes
 * partitions by a given value, but not by a joined one.
 */
export function rangeOf(ids: readonly string[]): readonly [first: string, last: string] {
  const sorted = ids.map((id) => id.toLowerCase()).sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('No ids were given.');
  return [first, last];
}

/**
 * Adds missing partitions for some days, each in its own transaction. Fails with a `DatabaseError`, such as
 * `LOCK_NOT_AVAILABLE`.
 */
export async function addEventPartitions(database: Database, days: readonly number[]): Promise<void> {
  const present = new Set(await listEventPartitions(database));
  const missing = days.filter((day) => !present.has(day));
  for (const day of missing) await withTableLocks(database, (sql) => addEventPartition(sql, day));
}

/** Adds the partition of a day unless it exists, in the transaction of `sql`. */
export async function addEventPartition(sql: Sql, day: number): Promise<void> {
  // Two nodes that find it missing create it one after the other.
  await sql.query('LOCK TABLE ONLY events IN SHARE UPDATE EXCLUSIVE MODE');
  await sql.query(
    `CREATE TABLE IF NOT EXISTS ${quoteIdentifier(partitionOfDay(day))} PARTITION OF events ${valuesOf(day)}`,
  );
}

function valuesOf(day: number): string {
  return `FOR VALUES FROM ('${firstIdOfDay(day)}') TO ('${firstIdOfDay(day + 1)}')`;
}

/** A session whose events are kept, and its last event when it was found. */
export type RetainedSession = { readonly id: string; readonly lastSequence: number };

/**
 * Drops the partition of a day, if it exists, in a transaction of `withTableLocks`. The events of `kept` are copied to
 * a new table, which replaces the partition. Other statements wait only during this replacement.
 */
export async function dropEventPartition(
  sql: Sql,
  day: number,
  kept: readonly RetainedSession[] = [],
): Promise<void> {
  if (!(await listEventPartitions(sql)).includes(day)) return;
  const partition = quoteIdentifier(partitionOfDay(day));
  await blockVacuum(sql, partition);
  const copy = quoteIdentifier(`${partitionOfDay(day)}_kept`);
  const ids = kept.map(({ id }) => id);
  if (kept.length > 0) {
    // With this constraint, PostgreSQL does not scan the copy when it is attached as the partition.
    await sql.query(
      `CREATE TABLE ${copy} (LIKE events INCLUDING INDEXES,
         CHECK (session_id >= '${firstIdOfDay(day)}' AND session_id < '${firstIdOfDay(day + 1)}'))`,
    );
    await sql.query(`INSERT INTO ${copy} SELECT * FROM ${partition} WHERE session_id = ANY($1::uuid[])`, [
      ids,
    ]);
  }
  // First the table, then its partition: the lock order of all statements.
  await sql.query('LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE');
  if (kept.length > 0) {
    await sql.query(`LOCK TABLE ${partition} IN ACCESS EXCLUSIVE MODE`);
    await bringUpToDate(sql, { partition, copy, kept });
  }
  await sql.query(`DROP TABLE ${partition}`);
  if (kept.length === 0) return;
  await sql.query(`ALTER TABLE ${copy} RENAME TO ${partition}`);
  await sql.query(`ALTER TABLE events ATTACH PARTITION ${partition} ${valuesOf(day)}`);
}

/** Copies events that were appended since the copy was made, and deletes the events of sessions erased since. */
async function bringUpToDate(
  sql: Sql,
  {
    partition,
    copy,
    kept,
  }: { readonly partition: string; readonly copy: string; readonly kept: readonly RetainedSession[] },
): Promise<void> {
  const changed = await sql.query<{ id: string; copied: number; is_there: boolean }>(
    `SELECT k.id, k.copied, s.id IS NOT NULL AS is_there
       FROM unnest($1::uuid[], $2::bigint[]) AS k (id, copied) LEFT JOIN sessions s ON s.id = k.id
      WHERE s.id IS NULL OR s.last_sequence > k.copied`,
    [kept.map(({ id }) => id), kept.map(({ lastSequence }) => lastSequence)],
  );
  const erased = changed.filter((session) => !session.is_there);
  const continued = changed.filter((session) => session.is_there);
  if (erased.length > 0)
    await sql.query(`DELETE FROM ${copy} WHERE session_id = ANY($1::uuid[])`, [erased.map(({ id }) => id)]);
  if (continued.length > 0)
    await sql.query(
      `INSERT INTO ${copy}
       SELECT e.* FROM unnest($1::uuid[], $2::bigint[]) AS k (id, copied)
         JOIN ${partition} e ON e.session_id = k.id AND e.sequence > k.copied
       ON CONFLICT DO NOTHING`,
      [continued.map(({ id }) => id), continued.map(({ copied }) => copied)],
    );
}

/** A transaction for statements that lock whole tables: it fails with `LOCK_NOT_AVAILABLE` before others wait for long. */
export async function withTableLocks<T>(database: Database, run: (sql: Sql) => Promise<T>): Promise<T> {
  return await database.tx(async (sql) => {
    // Its constraint changes with every partition that is added or dropped.
    await blockVacuum(sql, DEFAULT_PARTITION);
    return await run(sql);
  });
}

/** Cancels an automatic vacuum of a table, and prevents another one until the transaction ends. */
async function blockVacuum(sql: Sql, table: string): Promise<void> {
  await sql.query(`SET LOCAL lock_timeout = ${VACUUM_WAIT_MS}`);
  await sql.query(`LOCK TABLE ONLY ${table} IN SHARE UPDATE EXCLUSIVE MODE`);
  await sql.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
}
