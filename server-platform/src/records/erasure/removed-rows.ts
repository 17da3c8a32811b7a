import { sql as fragment, getTableName, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { queryBuilder, type Sql } from '../../db/index.ts';

/** Every table with personal data, in display order. */
export const PERSONAL_TABLES = [
  'sessions',
  'events',
  'turns',
  'conversations',
  'conversation_turns',
  'conversation_vectors',
  'conversation_users',
  'chats',
  'idempotent_answers',
  'desk_requests',
  'desk_notes',
  'desk_files',
  'contact_requests',
  'external_waits',
  'external_events',
  'phone_numbers',
  'webhook_deliveries',
  'stored_audio',
] as const;

/** One of {@link PERSONAL_TABLES}. */
export type PersonalTable = (typeof PERSONAL_TABLES)[number];

/** Rows of a table to delete. */
export type Deletion = { readonly table: PgTable; readonly where: SQL | undefined };

/** Counts removed or emptied rows by table. */
export class RemovedRows {
  readonly #counts = new Map<PersonalTable, number>(PERSONAL_TABLES.map((table) => [table, 0]));

  /** All tables, those without removed rows as 0. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  add(table: PersonalTable, count: number): void {
    this.#counts.set(table, (this.#counts.get(table) ?? 0) + count);
  }

  /** Adds the counts of a committed transaction. */
  addAll(other: RemovedRows): void {
    for (const [table, count] of other.#counts) this.add(table, count);
  }

  /**
   * Deletes rows of several distinct tables with one statement, and counts them. A transaction has the embedded
   * database to itself, so each further statement would delay everything else.
   */
  async delete(sql: Sql, deletions: readonly Deletion[]): Promise<void> {
    if (deletions.length === 0) return;
    const build = queryBuilder(sql);
    // Counted by the database, because a session may have thousands of events.
    const parts = deletions.map(({ table, where }) => {
      const name = nameOf(table);
      const rows = build.$with(`deleted_${name}`).as(
        build
          .delete(table)
          .where(where)
          .returning({ one: fragment<number>`1`.as('one') }),
      );
      return { name, rows, amount: fragment<number>`(select count(*) from ${rows})`.mapWith(Number) };
    });
    const amounts = Object.fromEntries(parts.map(({ name, amount }) => [name, amount]));
    const [row] = await build
      .with(...parts.map(({ rows }) => rows))
      .select(amounts)
      .from(fragment`(values (1)) as one`);
    for (const { name } of parts) this.add(name, row?.[name] ?? 0);
  }
}

function nameOf(table: PgTable): PersonalTable {
  const name = getTableName(table);
  const personal = PERSONAL_TABLES.find((each) => each === name);
  if (personal === undefined) throw new TypeError(`${name} is not among the tables of personal data`);
  return personal;
}
