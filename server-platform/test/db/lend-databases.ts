import { DatabaseError } from '../../src/db/database-error.ts';
import type { Database, Sql } from '../../src/db/sql.ts';
import type { TestDatabase } from './engines.ts';

const toClose = new Set<TestDatabase>();

/** Closes the databases that no later file may have. Called at the end of every test file. */
export async function closeLentDatabases(): Promise<void> {
  for (const place of toClose) {
    toClose.delete(place);
    await place.close();
  }
}

/**
 * Lends databases with the platform's tables and no rows, each to one borrower at a time. A closed database is emptied
 * and lent again, because starting an engine and creating the tables takes seconds. Tables added by the borrower, such
 * as partitions, are dropped; a database that lacks a table is not lent again.
 *
 * A database in memory also serves the process's later test files. Databases not returned at the end of a file, and
 * those on a server, are closed there.
 */
export function lendDatabases(make: () => Promise<TestDatabase>): () => Promise<TestDatabase> {
  const free: { readonly place: TestDatabase; readonly tables: string }[] = [];

  const start = async (): Promise<(typeof free)[number]> => {
    const place = await make();
    return { place, tables: await listTables(place.database) };
  };

  return async () => {
    let next = free.pop();
    while (next !== undefined && isClosed(next.place)) next = free.pop();
    const { place, tables } = next ?? (await start());
    toClose.add(place);
    const database = borrow(place.database, async () => {
      // Closed at the end of its file, before the borrower was done with it.
      if (!toClose.has(place)) return;
      await dropOtherTables(place.database, tables);
      if ((await listTables(place.database)) !== tables) {
        toClose.delete(place);
        return await place.close();
      }
      await empty(place.database, tables.split(','));
      free.push({ place, tables });
      if (place.database.engine === 'pglite') toClose.delete(place);
    });
    return { database, close: () => database.close() };
  };
}

/** Whether it lies on a server and was closed at the end of a file. */
function isClosed(place: TestDatabase): boolean {
  return place.database.engine === 'postgres' && !toClose.has(place);
}

/** The tables of the schema in use, but the one of migrations, by name. */
async function listTables(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ names: string }>(
    `SELECT string_agg(quote_ident(relname), ',' ORDER BY relname) AS names FROM pg_class
      WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace AND relname <> 'migrations'`,
  );
  return row?.names ?? '';
}

async function dropOtherTables(sql: Sql, tables: string): Promise<void> {
  const first = new Set(tables.split(','));
  const others = (await listTables(sql)).split(',').filter((table) => !first.has(table));
  if (others.length > 0) await sql.query(`DROP TABLE ${others.join(', ')} CASCADE`);
}

/** Uses one statement, so that foreign keys require no order; TRUNCATE creates files and takes twenty times as long. */
async function empty(sql: Sql, tables: readonly string[]): Promise<void> {
  const parts = tables.map((table, n) => `t${n} AS (DELETE FROM ${table})`);
  await sql.query(`WITH ${parts.join(', ')} SELECT 1`);
  await sql.query(
    `SELECT setval(format('%I.%I', schemaname, sequencename), start_value, false) FROM pg_sequences
      WHERE schemaname = current_schema()`,
  );
}

/** Wraps the database for one borrower: `close` waits for running statements, and later ones are refused. */
function borrow(database: Database, giveBack: () => Promise<void>): Database {
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing !== null) throw new DatabaseError('closed', 'The database was closed.');
    const result = work();
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
    }
  };
  const close = async (): Promise<void> => {
    await Promise.allSettled(running);
    await giveBack();
  };
  return {
    engine: database.engine,
    isDurable: database.isDurable,
    query: (text, params, options) => run(() => database.query(text, params, options)),
    tx: (body) => run(() => database.tx(body)),
    ping: () => run(() => database.ping()),
    close: () => (closing ??= close()),
  };
}
