/** Rate limits shared by all nodes. Rows are removed soon after they expire. */
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';

const ms = (name: string) => bigint(name, { mode: 'number' });

export const rateLimits = pgTable(
  'rate_limits',
  {
    /** Name of the limit and SHA-256 of its key, so that no address or credential is stored. */
    key: text('key').primaryKey(),
    /** Times of the uses within the window, oldest first. By the database's clock. */
    times: ms('times').array().notNull(),
    /** Number of uses that the last statement allowed. */
    granted: integer('granted').notNull(),
    /** When the row expires. */
    keptUntil: ms('kept_until').notNull(),
  },
  (table) => [index('rate_limits_kept_idx').on(table.keptUntil)],
);
