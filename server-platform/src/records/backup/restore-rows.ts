import { AccountError } from '../../accounts/index.ts';
import { ALLOW_IDLE_TRANSACTION, type Database, type Sql } from '../../db/index.ts';
import { addEventPartition, dayOfPartition } from '../../realtime/event-log/index.ts';
import { type BackupColumn, type BackupPart, listTables } from './dump-rows.ts';

/** A table as its rows are written. */
export type Table = { readonly name: string; readonly columns: readonly BackupColumn[] };

/**
 * Restores a backup into an empty database with the same tables, all or nothing, and resolves with the number of rows.
 *
 * Fails with an `AccountError` when the database is not empty, or the backup is of another release or incomplete.
 */
export async function restoreRows(database: Database, parts: AsyncIterable<BackupPart>): Promise<number> {
  return await database.tx(async (sql) => {
    await sql.query(ALLOW_IDLE_TRANSACTION);
    const known = await listTables(sql);
    await refuseIfUsed(sql, known);
    let table: Table | null = null;
    let count = 0;
    let end: number | null = null;
    for await (const part of parts) {
      if (part.kind === 'head') await checkHead(sql, part);
      else if (part.kind === 'table') {
        const day = dayOfPartition(part.name);
        if (known.includes(part.name)) table = part;
        else if (day === null) throw invalid(`it has an unknown table "${part.name}"`);
        else {
          await addEventPartition(sql, day);
          table = part;
        }
      } else if (part.kind === 'rows') {
        if (table === null) throw invalid('it has rows before a table');
        await insert(sql, table, part.rows);
        count += part.rows.length;
      } else end = part.rows;
    }
    if (end !== count) throw invalid('its end is missing');
    await adjust(sql, known);
    return count;
  });
}

function invalid(why: string): AccountError {
  return new AccountError('invalid', `The backup cannot be restored: ${why}. Nothing was written.`);
}

/** Fails with an `AccountError` when one of the tables has a row. */
export async function refuseIfUsed(sql: Sql, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    const rows = await sql.query(`SELECT 1 FROM "${name}" LIMIT 1`);
    if (rows.length > 0)
      throw new AccountError(
        'exists',
        `The database already contains data (${name}). Restore into an empty one: another --data folder, or another database.`,
      );
  }
}

async function checkHead(
  sql: Sql,
  { migrations, version }: Extract<BackupPart, { kind: 'head' }>,
): Promise<void> {
  if (version !== 1) throw invalid('its format is newer than this release');
  const own = await sql.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
  if (own.map(({ name }) => name).join() !== migrations.join())
    throw invalid('another release made it. Restore it with that release, then start this one');
}

/** Passes the values as one list per column, so that any number of rows needs one parameter per column. */
export async function insert(
  sql: Sql,
  { name, columns }: Table,
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  const names = columns.map((column) => `"${column.name.replaceAll('"', '""')}"`);
  const types = columns.map(({ type }) => type);
  if (!types.every((type) => /^[a-z][a-z0-9 ]*(\(\d+\))?(\[\])?$/.test(type)))
    throw invalid(`unknown column type in "${name}"`);
  await sql.query(
    `INSERT INTO "${name}" (${names.join(', ')}) OVERRIDING SYSTEM VALUE
     SELECT ${names.map((each, index) => `${each}::${types[index]}`).join(', ')}
       FROM unnest(${columns.map((_, index) => `$${index + 1}::text[]`).join(', ')}) AS given (${names.join(', ')})`,
    columns.map((_, index) => rows.map((row) => row[index] ?? null)),
  );
}

/** Sets sequences past the restored numbers, and schedules vectors for computation. */
export async function adjust(sql: Sql, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    const identities = await sql.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> ''`,
      [`"${name}"`],
    );
    for (const { name: column } of identities)
      await sql.query(
        `SELECT setval(pg_get_serial_sequence($1, $2), greatest(max("${column}"), 1)) FROM "${name}"`,
        [`"${name}"`, column],
      );
  }
  // No new lease may have an epoch that a session names for its owner.
  await sql.query(
    `SELECT setval(pg_get_serial_sequence('node_leases', 'epoch'), greatest(max(owner_node_epoch), 1)) FROM sessions`,
  );
  await sql.query(
    'UPDATE conversations SET needs_vector = true, vector_due_at = 0 WHERE turns_removed_at IS NULL',
  );
}
