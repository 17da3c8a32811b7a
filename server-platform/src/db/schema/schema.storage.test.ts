import { readdir } from 'node:fs/promises';
import { getTableColumns, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { afterEach, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { EmptyTestDatabase } from '../../../test/db/engines.ts';
import { migrate } from '../migrate.ts';

const COLUMNS = `SELECT c.table_name || '.' || c.column_name AS name, format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AS is_required
  FROM information_schema.columns c
  JOIN pg_attribute a ON a.attrelid = (quote_ident(c.table_schema) || '.' || quote_ident(c.table_name))::regclass
   AND a.attname = c.column_name
 WHERE c.table_schema = current_schema() AND c.table_name NOT IN ('migrations', 'events_default') ORDER BY 1`;

const INDEXES = `SELECT indexname || coalesce(' ' || c.reloptions::text, '') AS name
  FROM pg_indexes JOIN pg_class c ON c.oid = (quote_ident(schemaname) || '.' || quote_ident(indexname))::regclass
 WHERE schemaname = current_schema() AND tablename NOT IN ('migrations', 'events_default') ORDER BY 1`;

async function listTables(): Promise<readonly PgTable[]> {
  const folder = new URL('./', import.meta.url);
  const names = (await readdir(folder)).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const modules = await Promise.all(names.map((name): Promise<object> => import(new URL(name, folder).href)));
  return modules.flatMap((module) => Object.values(module)).filter((value) => is(value, PgTable));
}

describeStorage('the tables as described', ({ openEmpty }) => {
  let place: EmptyTestDatabase;
  afterEach(() => place.close());

  it('describes the tables as the migrations create them, column by column and index by index', async () => {
    place = await openEmpty();
    await migrate(place.database, { schema: place.schema });
    const tables = await listTables();
    const described = tables.flatMap((table) => {
      const { name: tableName, primaryKeys } = getTableConfig(table);
      const keys = new Set(primaryKeys.flatMap(({ columns }) => columns.map(({ name }) => name)));
      return Object.values(getTableColumns(table)).map((column) => ({
        name: `${tableName}.${column.name}`,
        type: column.getSQLType(),
        is_required: column.notNull || column.primary || keys.has(column.name),
      }));
    });
    const byName = (left: { name: string }, right: { name: string }): number =>
      left.name < right.name ? -1 : 1;
    const columns = await place.database.query<{ name: string; type: string; is_required: boolean }>(COLUMNS);
    expect(described.toSorted(byName)).toEqual([...columns].sort(byName));
    const indexes = tables.flatMap((table) => {
      const { name, columns: own, indexes: others, primaryKeys, uniqueConstraints } = getTableConfig(table);
      return [
        ...others.map(({ config }) => `${config.name}${writeOptions(config.with)}`),
        ...primaryKeys.map((key) => key.getName()),
        ...uniqueConstraints.map((constraint) => constraint.getName() ?? ''),
        ...own.flatMap(({ primary, isUnique, uniqueName }) => [
          ...(primary ? [`${name}_pkey`] : []),
          ...(isUnique ? [uniqueName ?? ''] : []),
        ]),
      ];
    });
    const made = await place.database.query<{ name: string }>(INDEXES);
    expect(indexes.toSorted()).toEqual(made.map(({ name }) => name).toSorted());
  });
});

/** Formats index options as the catalog does. */
function writeOptions(options: Readonly<Record<string, unknown>> = {}): string {
  const written = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  return written.length === 0 ? '' : ` {${written}}`;
}
