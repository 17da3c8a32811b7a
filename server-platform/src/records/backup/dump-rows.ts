import { ALLOW_IDLE_TRANSACTION, type Database, type Sql, UNFINISHED_COPY } from '../../db/index.ts';

/** A part of a backup, in this order: the header, each table before its rows, the end. */
export type BackupPart =
  | {
      readonly kind: 'head';
      readonly version: 1;
      readonly migrations: readonly string[];
      readonly at: string;
    }
  | { readonly kind: 'table'; readonly name: string; readonly columns: readonly BackupColumn[] }
  /** Values as PostgreSQL writes them as text, in the order of the table's columns. */
  | { readonly kind: 'rows'; readonly rows: readonly (readonly (string | null)[])[] }
  | { readonly kind: 'end'; readonly rows: number };

/** A column and its type, such as `bigint` or `text[]`. */
export type BackupColumn = { readonly name: string; readonly type: string };

// A row may have 100 kB.
const ROWS_AT_ONCE = 100;

/**
 * Tables that are left out: node registrations, data valid for a day at most, and vectors, which engines store
 * differently and which are computed again from the conversations.
 */
const LEFT_OUT = [
  'migrations',
  'node_leases',
  'lost_sessions',
  'rate_limits',
  'idempotent_answers',
  'conversation_vectors',
  UNFINISHED_COPY,
];

/**
 * Reads a consistent snapshot of the whole database, and passes it on part by part. On PostgreSQL it blocks nothing;
 * the embedded database has one connection, so other statements wait.
 */
export async function dumpRows(
  database: Database,
  write: (part: BackupPart) => Promise<void>,
): Promise<number> {
  return await database.tx(async (sql) => {
    await sql.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await sql.query(ALLOW_IDLE_TRANSACTION);
    // Before the snapshot, because a partition emptied later would appear empty here too.
    await sql.query('LOCK TABLE events IN ACCESS SHARE MODE');
    const migrations = await sql.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
    await write({
      kind: 'head',
      version: 1,
      migrations: migrations.map(({ name }) => name),
      at: new Date().toISOString(),
    });
    let count = 0;
    for (const table of await listTables(sql)) count += await dumpTable(sql, table, write);
    await write({ kind: 'end', rows: count });
    return count;
  });
}

async function dumpTable(
  sql: Sql,
  name: string,
  write: (part: BackupPart) => Promise<void>,
): Promise<number> {
  const columns = await readColumns(sql, name);
  await write({ kind: 'table', name, columns });
  const texts = columns.map((column) => `"${column.name}"::text`).join(', ');
  await sql.query(`DECLARE backup_rows NO SCROLL CURSOR FOR SELECT ${texts} FROM "${name}"`);
  let count = 0;
  for (;;) {
    const rows = await sql.query(`FETCH ${ROWS_AT_ONCE} FROM backup_rows`, [], { rows: 'arrays' });
    if (rows.length === 0) break;
    await write({ kind: 'rows', rows: rows as unknown as readonly (readonly (string | null)[])[] });
    count += rows.length;
  }
  await sql.query('CLOSE backup_rows');
  return count;
}

/** The columns of a table, in their order. */
export async function readColumns(sql: Sql, table: string): Promise<readonly BackupColumn[]> {
  return await sql.query<BackupColumn>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`"${table}"`],
  );
}

/** The tables of the current schema, referenced ones first. For `events` its partitions, which contain the rows. */
export async function listTables(sql: Sql): Promise<readonly string[]> {
  const tables = await sql.query<{ name: string; needs: readonly string[] }>(
    `SELECT t.relname AS name,
            array(SELECT DISTINCT r.relname::text FROM pg_constraint c JOIN pg_class r ON r.oid = c.confrelid
                   WHERE c.conrelid = t.oid AND c.contype = 'f' AND r.oid <> t.oid) AS needs
       FROM pg_class t
      WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace ORDER BY t.relname`,
  );
  const left = new Map(
    tables.filter(({ name }) => !LEFT_OUT.includes(name)).map((each) => [each.name, each]),
  );
  const ordered: string[] = [];
  while (left.size > 0) {
    const next = [...left.values()].filter(({ needs }) => !needs.some((name) => left.has(name)));
    if (next.length === 0) throw new TypeError('The tables refer to each other in a circle.');
    for (const { name } of next) {
      ordered.push(name);
      left.delete(name);
    }
  }
  return ordered;
}
