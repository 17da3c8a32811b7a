/** The table of phone numbers and their reservations (rest.md, section 7). */
import { bigint, index, json, pgTable, text } from 'drizzle-orm/pg-core';

const ms = (name: string) => bigint(name, { mode: 'number' });

export const phoneNumbers = pgTable(
  'phone_numbers',
  {
    /** E.164. */
    number: text('number').primaryKey(),
    /** The project whose agent answers. */
    projectId: text('project_id').notNull(),
    /** Null or in the past: free. */
    reservedUntil: ms('reserved_until'),
    /** The attributes of the reservation. */
    attributes: json('attributes').$type<Readonly<Record<string, unknown>>>(),
    /** End of the last reservation. Null: never reserved. */
    lastUsedAt: ms('last_used_at'),
  },
  (table) => [index('phone_numbers_project_idx').on(table.projectId, table.lastUsedAt)],
);
