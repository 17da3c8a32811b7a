import { count, sql as fragment, getTableName, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { queryBuilder, type Sql } from '../db/index.ts';

/** Every table that can hold words or facts of a person, in the order in which figures are shown. */
export const PERSONAL_TABLES = [
  'sessions',
  'events',
  'turns',
  'conversations',
  'conversation_turns',
  'conversation_vectors',
  'conversation_users',
  'chats',
  'desk_requests',
  'desk_notes',
  'contact_requests',
  'external_waits',
  'external_events',
  'phone_numbers',
  'webhook_deliveries',
  'stored_audio',
] as const;

/** One of {@link PERSONAL_TABLES}. */
export type PersonalTable = (typeof PERSONAL_TABLES)[number];

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

  /** Adds what another one has counted: of a transaction that was committed. */
  addAll(other: RemovedRows): void {
    for (const [table, count] of other.#counts) this.add(table, count);
  }

  /** Deletes the rows of a table that meet the condition, and counts them. */
  async delete(sql: Sql, table: PgTable, where: SQL | undefined): Promise<void> {
    const build = queryBuilder(sql);
    // Counted by the database: a session may have thousands of events.
    const deleted = build.$with('deleted').as(
      build
        .delete(table)
        .where(where)
        .returning({ one: fragment<number>`1`.as('one') }),
    );
    const [row] = await build.with(deleted).select({ n: count() }).from(deleted);
    const name = getTableName(table);
    const personal = PERSONAL_TABLES.find((each) => each === name);
    if (personal === undefined) throw new TypeError(`${name} is not among the tables of personal data`);
    this.add(personal, row?.n ?? 0);
  }
}
