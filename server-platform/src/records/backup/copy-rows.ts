import { createHash } from 'node:crypto';
import { type Database, type Sql, UNFINISHED_COPY } from '../../db/index.ts';
import { addEventPartition, dayOfPartition, listEventPartitions } from '../../realtime/event-log/index.ts';
import { listTables, readColumns } from './dump-rows.ts';
import { adjust, insert, refuseIfUsed, type Table } from './restore-rows.ts';

/** Result of a copy. */
export interface Copied {
  /** Total rows, including earlier runs. */
  readonly rows: number;
  /** Rows copied by earlier runs. */
  readonly rowsBefore: number;
}

/** Progress of a copy: `table` up to the row at `position`, and all earlier tables. */
interface Progress {
  readonly source: string;
  readonly table_name: string;
  readonly position: string;
  readonly rows: number;
}

// A row may have 100 kB.
const ROWS_AT_ONCE = 200;
// Before the first row of a table.
const FIRST = '(0,0)';

/**
 * Copies the embedded database into an empty one with the same tables, batch by batch. Each batch is committed with its
 * position, so an interrupted run is resumed without copying a row twice. Until the end the other database has the
 * table `unfinished_copy`, which prevents a platform from using it.
 *
 * If the embedded database was written to since an earlier run, the copy starts over. Fails with an `AccountError` when
 * the other database contains other data.
 * other database holds other data.
 */
export async function copyRows(
  source: Database,
  target: Database,
  onBatch: (table: string, rows: number) => void = () => {},
): Promise<Copied> {
  return await source.tx(async (from) => {
    await from.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    // Returns rows in their physical order.
    await from.query('SET LOCAL synchronize_seqscans = off');
    await from.query('SET LOCAL max_parallel_workers_per_gather = 0');
    const tables = await listTables(from);
    const begun = await begin(target, await identify(from, tables), tables);
    let rows = begun.rows;
    for (const name of tables.slice(tables.indexOf(begun.table_name))) {
      const position = name === begun.table_name ? begun.position : FIRST;
      const table = { name, columns: await readColumns(from, name) };
      for await (const batch of readBatches(from, table, position)) {
        await writeBatch(target, table, batch);
        rows += batch.rows.length;
        onBatch(name, rows);
      }
    }
    await target.tx(async (to) => {
      await adjust(to, tables);
      await to.query(`DROP TABLE ${UNFINISHED_COPY}`);
    });
    return { rows, rowsBefore: begun.rows };
  });
}

/**
 * A fingerprint that changes with every written row: positions and writers of all rows. The next transaction number
 * would not do, because opening the embedded database uses one.
 */
async function identify(sql: Sql, tables: readonly string[]): Promise<string> {
  const sums: string[] = [];
  for (const name of tables) {
    const [row] = await sql.query<{ sum: string }>(
      `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(ctid::text || xmin::text, 0)::numeric), 0) AS sum FROM "${name}"`,
    );
    sums.push(`${name} ${row?.sum}`);
  }
  return createHash('sha256').update(sums.join()).digest('hex');
}

/** Returns the position to continue from. Empties the target if it has an unfinished copy of another source. */
async function begin(target: Database, source: string, tables: readonly string[]): Promise<Progress> {
  return await target.tx(async (sql) => {
    await sql.query(
      `CREATE TABLE IF NOT EXISTS ${UNFINISHED_COPY}
         (source text NOT NULL, table_name text NOT NULL, position text NOT NULL, rows bigint NOT NULL)`,
    );
    const [known] = await sql.query<Progress>(`SELECT * FROM ${UNFINISHED_COPY} FOR UPDATE`);
    if (known?.source === source) return known;
    await addPartitions(sql, tables);
    if (known === undefined) await refuseIfUsed(sql, tables);
    else {
      // `events` includes all its partitions, also those that the source no longer has; CASCADE includes tables that
      // reference copied rows, even uncopied tables.
      const names = tables.map((name) => `"${name}"`).join(', ');
      await sql.query(`TRUNCATE events, ${names}, ${UNFINISHED_COPY} CASCADE`);
    }
    const progress = { source, table_name: tables[0] ?? '', position: FIRST, rows: 0 };
    await sql.query(`INSERT INTO ${UNFINISHED_COPY} VALUES ($1, $2, $3, 0)`, [
      progress.source,
      progress.table_name,
      progress.position,
    ]);
    return progress;
  });
}

/** Adds event partitions that the source has and the target lacks. */
async function addPartitions(sql: Sql, tables: readonly string[]): Promise<void> {
  const present = await listEventPartitions(sql);
  for (const day of tables.flatMap((table) => dayOfPartition(table) ?? []))
    if (!present.includes(day)) await addEventPartition(sql, day);
}

interface Batch {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Position of its last row. */
  readonly position: string;
}

async function* readBatches(sql: Sql, { name, columns }: Table, position: string): AsyncGenerator<Batch> {
  const texts = columns.map((column) => `"${column.name}"::text`).join(', ');
  await sql.query(
    `DECLARE copied_rows NO SCROLL CURSOR FOR SELECT ctid::text, ${texts} FROM "${name}" WHERE ctid > '${position}'::tid`,
  );
  for (;;) {
    const found = await sql.query(`FETCH ${ROWS_AT_ONCE} FROM copied_rows`, [], { rows: 'arrays' });
    const rows = found as unknown as readonly (readonly [string, ...(string | null)[]])[];
    const last = rows.at(-1);
    if (last === undefined) break;
    yield { rows: rows.map(([, ...values]) => values), position: last[0] };
  }
  await sql.query('CLOSE copied_rows');
}

async function writeBatch(target: Database, table: Table, { rows, position }: Batch): Promise<void> {
  await target.tx(async (sql) => {
    await insert(sql, table, rows);
    await sql.query(
      `UPDATE ${UNFINISHED_COPY} SET table_name = $1, position = $2, rows = rows + $3::bigint`,
      [table.name, position, rows.length],
    );
  });
}
