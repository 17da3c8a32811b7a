import type { Sql, SqlValue } from '../db/index.ts';

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

  /** Runs a DELETE or UPDATE without RETURNING and counts its rows. */
  async run(sql: Sql, table: PersonalTable, statement: string, params: readonly SqlValue[]): Promise<void> {
    const [row] = await sql.query<{ n: number }>(
      `WITH touched AS (${statement} RETURNING 1) SELECT count(*) AS n FROM touched`,
      params,
    );
    this.add(table, row?.n ?? 0);
  }
}
