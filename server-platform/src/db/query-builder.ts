import { DrizzleQueryError, type Query } from 'drizzle-orm';
import { PgDialect, type PreparedQueryConfig, type SelectedFieldsOrdered } from 'drizzle-orm/pg-core';
import { PgRemoteDatabase, PgRemoteSession, type PreparedQuery } from 'drizzle-orm/pg-proxy';
import type { Sql, SqlValue } from './sql.ts';

/** Drizzle's query builder, for ordinary statements. For transactions use {@link Sql}. */
export type QueryBuilder = Omit<PgRemoteDatabase<Record<string, never>>, 'transaction'>;

const dialect = new PgDialect();
const builders = new WeakMap<Sql, QueryBuilder>();

/**
 * The query builder over a database or a transaction. A statement named with `prepare` stays parsed, as with `prepare`
 * of {@link Sql.query}.
 *
 * @example
 * const [account] = await queryBuilder(sql).select().from(accounts).where(eq(accounts.slug, 'acme'));
 */
export function queryBuilder(sql: Sql): QueryBuilder {
  const known = builders.get(sql);
  if (known !== undefined) return known;
  const builder = new PgRemoteDatabase<Record<string, never>>(dialect, new SqlSession(sql), undefined);
  builders.set(sql, builder);
  return builder;
}

/** Runs drizzle's statements through the `Sql` port, which supports both engines. */
class SqlSession extends PgRemoteSession<Record<string, never>, Record<string, never>> {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    super(runOn(sql, false), dialect, undefined);
    this.#sql = sql;
  }

  override prepareQuery<T extends PreparedQueryConfig>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    name: string | undefined,
    isArrayMode: boolean,
    mapRows?: (rows: unknown[][]) => T['execute'],
  ): PreparedQuery<T> {
    const session =
      name === undefined ? this : new PgRemoteSession(runOn(this.#sql, true), dialect, undefined);
    const prepare = PgRemoteSession.prototype.prepareQuery<T>;
    const prepared = prepare.call(session, query, fields, name, isArrayMode, mapRows) as PreparedQuery<T>;
    const execute = prepared.execute.bind(prepared);
    // Drizzle's error contains the statement's values, which may be secrets.
    prepared.execute = async (values) => {
      try {
        return await execute(values);
      } catch (error) {
        throw error instanceof DrizzleQueryError ? error.cause : error;
      }
    };
    return prepared;
  }
}

function runOn(sql: Sql, prepare: boolean) {
  return async (
    text: string,
    params: readonly SqlValue[],
    method: 'all' | 'execute',
  ): Promise<{ rows: object[] }> => {
    // For statements whose columns drizzle does not know, such as a count, it reads objects.
    const rows = method === 'all' ? 'arrays' : 'objects';
    return { rows: [...(await sql.query(text, params, { prepare, rows }))] };
  };
}
