/** Tables of erasure and retention: notifications for nodes, and keys to find a person's data. */
import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

const ms = (name: string) => bigint(name, { mode: 'number' });

/** Recently erased sessions, which every node drops from its memory. Rows are removed after an hour. */
export const erasures = pgTable(
  'erasures',
  {
    ordinal: ms('ordinal').primaryKey().generatedAlwaysAsIdentity(),
    sessionId: uuid('session_id').notNull(),
    /** By the database's clock. */
    erasedAt: ms('erased_at').notNull(),
  },
  (table) => [index('erasures_erased_idx').on(table.erasedAt)],
);

/** The owner of a conversation, after retention removed the events or turns that named it. */
export const conversationUsers = pgTable(
  'conversation_users',
  {
    projectId: text('project_id').notNull(),
    /** SHA-256 of project and user id, hexadecimal. The user id itself is not stored. */
    userHash: text('user_hash').notNull(),
    conversationId: text('conversation_id').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'conversation_users_pkey',
      columns: [table.projectId, table.userHash, table.conversationId],
    }),
    index('conversation_users_conversation_idx').on(table.conversationId),
  ],
);

/** Stored audio files, so that they can be removed, because their names reveal nothing. */
export const storedAudio = pgTable(
  'stored_audio',
  {
    name: text('name').primaryKey(),
    projectId: text('project_id').notNull(),
    /** disk, bucket. */
    place: text('place').$type<'disk' | 'bucket'>().notNull(),
    createdAt: ms('created_at').notNull(),
    /** When the file was marked for removal; the row follows it. */
    erasedAt: ms('erased_at'),
  },
  (table) => [
    index('stored_audio_project_idx').on(table.projectId, table.createdAt),
    index('stored_audio_erased_idx').on(table.erasedAt).where(sql`${table.erasedAt} IS NOT NULL`),
  ],
);
