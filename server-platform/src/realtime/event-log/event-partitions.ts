import { dayOf, firstIdOfDay, startOfDay } from '../../db/ids/index.ts';
import type { Database, Sql } from '../../db/index.ts';
import { quoteIdentifier } from '../../db/index.ts';

/** The partition of the sessions without a day. */
const DEFAULT_PARTITION = 'events_default';

// Readers and writers of events wait as long behind a statement that waits for this lock.
const LOCK_WAIT_MS = 250;
// PostgreSQL cancels an automatic vacuum that has blocked another statement for a second (`deadlock_timeout`). Reads and writes do
// not conflict with this lock.
const VACUUM_WAIT_MS = 2_000;

/** Why a statement on partitions failed that others were in the way of: nothing was changed. */
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

/** The day of a table that is such a partition, or null. */
export function dayOfPartition(table: string): number | null {
  const [, date] = /^events_(\d{4}_\d\d_\d\d)$/.exec(table) ?? [];
  return date === undefined ? null : dayOf(Date.parse(date.replaceAll('_', '-')));
}

/**
 * The first and the last of some ids, which a statement names beside the ids themselves: PostgreSQL leaves out partitions by
 * a value that it is given, and not by one that it joins with.
 */
export function rangeOf(ids: readonly string[]): readonly [first: string, last: string] {
  const sorted = ids.map((id) => id.toLowerCase()).sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('There are no ids.');
  return [first, last];
}

/**
 * Adds the partitions of days that have none. Each is a separate transaction. Fails with a `DatabaseError`, among others
 * with `LOCK_NOT_AVAILABLE`.
 */
export async function addEventPartitions(database: Database, days: readonly number[]): Promise<void> {
  const present = new Set(await listEventPartitions(database));
  const missing = days.filter((day) => !present.has(day));
  for (const day of missing) await withTableLocks(database, (sql) => addEventPartition(sql, day));
}

/** Adds the partition of a day, unless it is there, in the transaction of `sql`. */
export async function addEventPartition(sql: Sql, day: number): Promise<void> {
  // Two nodes that find it missing make it one after the other.
  await sql.query('LOCK TABLE ONLY events IN SHARE UPDATE EXCLUSIVE MODE');
  await sql.query(
    `CREATE TABLE IF NOT EXISTS ${quoteIdentifier(partitionOfDay(day))} PARTITION OF events ${valuesOf(day)}`,
  );
}

function valuesOf(day: number): string {
  return `FOR VALUES FROM ('${firstIdOfDay(day)}') TO ('${firstIdOfDay(day + 1)}')`;
}

/** A session whose events stay, and its last event when that was found. */
export type KeptSession = { readonly id: string; readonly lastSequence: number };

/**
 * Drops the partition of a day, if it is there, in a transaction of `withTableLocks`. The events of `kept` stay: they are copied
 * to a new table, which becomes the partition of the day. Other statements wait only for the second step, after they are copied.
 */
export async function dropEventPartition(
  sql: Sql,
  day: number,
  kept: readonly KeptSession[] = [],
): Promise<void> {
  if (!(await listEventPartitions(sql)).includes(day)) return;
  const partition = quoteIdentifier(partitionOfDay(day));
  await keepVacuumAway(sql, partition);
  const copy = quoteIdentifier(`${partitionOfDay(day)}_kept`);
  const ids = kept.map(({ id }) => id);
  if (kept.length > 0) {
    // With the condition, the copy is not read through when it becomes the partition.
    await sql.query(
      `CREATE TABLE ${copy} (LIKE events INCLUDING INDEXES,
         CHECK (session_id >= '${firstIdOfDay(day)}' AND session_id < '${firstIdOfDay(day + 1)}'))`,
    );
    await sql.query(`INSERT INTO ${copy} SELECT * FROM ${partition} WHERE session_id = ANY($1::uuid[])`, [
      ids,
    ]);
  }
  // First the table and then its partition, as everybody does.
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

/** Adds to the copy the events appended since it was made, and deletes the events of sessions that were erased since. */
async function bringUpToDate(
  sql: Sql,
  {
    partition,
    copy,
    kept,
  }: { readonly partition: string; readonly copy: string; readonly kept: readonly KeptSession[] },
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
    // Its condition changes with every partition that is added or dropped.
    await keepVacuumAway(sql, DEFAULT_PARTITION);
    return await run(sql);
  });
}

/** Ends an automatic vacuum of a table, and lets none begin before the transaction ends. */
async function keepVacuumAway(sql: Sql, table: string): Promise<void> {
  await sql.query(`SET LOCAL lock_timeout = ${VACUUM_WAIT_MS}`);
  await sql.query(`LOCK TABLE ONLY ${table} IN SHARE UPDATE EXCLUSIVE MODE`);
  await sql.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
}
