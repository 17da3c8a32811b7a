import type { Sql } from '../../../src/db/index.ts';

/**
 * Dumps every column of every table of the schema in use and names those that hold a text, in any case: `table.column`.
 * Bytes are searched as they are, so that no kind of column can hide it. A partition counts as the table that it is of.
 */
export async function findWords(sql: Sql, word: string): Promise<readonly string[]> {
  const columns = await sql.query<{ table_name: string; column_name: string; data_type: string }>(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)
      ORDER BY table_name, ordinal_position`,
  );
  const found: string[] = [];
  for (const { table_name: table, column_name: column, data_type: type } of columns) {
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const rows = await sql.query(
      `SELECT 1 FROM "${table}" WHERE strpos(lower(${text}), lower($1)) > 0 LIMIT 1`,
      [word],
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}
