/** Limits that hold across nodes. Rows are removed soon after their time is over. */
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';

const ms = (name: string) => bigint(name, { mode: 'number' });

export const rateLimits = pgTable(
  'rate_limits',
  {
    /** Name of the limit and SHA-256 of its key: no address and no credential is stored. */
    key: text('key').primaryKey(),
    /** When it was used within the window, oldest first. By the database's clock. */
    times: ms('times').array().notNull(),
    /** How many uses the last statement allowed. */
    granted: integer('granted').notNull(),
    /** From then on the row says nothing any more. */
    keptUntil: ms('kept_until').notNull(),
  },
  (table) => [index('rate_limits_kept_idx').on(table.keptUntil)],
);
