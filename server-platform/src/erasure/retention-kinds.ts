import type { RetentionDays } from '../accounts/index.ts';
import type { Sql } from '../db/index.ts';
import { removeConversations, removeSessions, removeSpoken } from './remove-sessions.ts';
import type { RemovedRows } from './removed-rows.ts';
import { findUsersOfConversations, findUsersOfSessions, keepUsers } from './users-of-conversations.ts';

/** What is looked for. */
export type RetentionScope = {
  readonly projectId: string;
  /** Only what came to its end before. */
  readonly beforeMs: number;
  readonly limit: number;
  /** Tried again later. */
  readonly except: readonly string[];
};

type Batch = { readonly projectId: string; readonly ids: readonly string[]; readonly nowMs: number };

/** One kind of data that a project keeps for so many days. */
export interface RetentionKind {
  readonly name: keyof RetentionDays;
  /** Ids of what is too old, oldest first. */
  readonly list: (sql: Sql, scope: RetentionScope) => Promise<readonly string[]>;
  /** Removes it, in the transaction of `sql`. */
  readonly remove: (sql: Sql, batch: Batch, removed: RemovedRows) => Promise<void>;
}

// A conversation without an end is over too when nothing is open of it: its process died.
const IS_OVER = `coalesce(c.ended_at, c.started_at) < $2
  AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.conversation_id = c.id AND s.ended_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM chats h WHERE h.conversation_id = c.id AND h.status = 'open')`;

/** Every kind. Conversations come first: what goes with them need not be looked for again. */
export const RETENTION_KINDS: readonly RetentionKind[] = [
  {
    name: 'conversations',
    list: (sql, scope) => listConversations(sql, scope, ''),
    async remove(sql, { ids }, removed) {
      const rows = await sql.query<{ id: string }>(
        'SELECT id FROM sessions WHERE conversation_id = ANY($1::text[])',
        [ids],
      );
      await removeSessions(
        sql,
        rows.map(({ id }) => id),
        removed,
      );
      await removeConversations(sql, ids, removed);
    },
  },
  {
    name: 'turns',
    list: (sql, scope) => listConversations(sql, scope, 'AND c.turns_removed_at IS NULL'),
    async remove(sql, { projectId, ids, nowMs }, removed) {
      const users = await findUsersOfConversations(sql, ids);
      await keepUsers(
        sql,
        projectId,
        users.map(({ id, userId }) => ({ conversationId: id, userId })),
      );
      await sql.query(
        'UPDATE conversations SET turns_removed_at = $2, needs_vector = false WHERE id = ANY($1::text[])',
        [ids, nowMs],
      );
      await removeSpoken(sql, ids, removed);
    },
  },
  {
    name: 'events',
    list: listSessions,
    async remove(sql, { projectId, ids }, removed) {
      const users = await findUsersOfSessions(sql, ids);
      const conversations = await sql.query<{ id: string; conversation_id: string }>(
        'SELECT id, conversation_id FROM sessions WHERE id = ANY($1::uuid[]) AND conversation_id IS NOT NULL',
        [ids],
      );
      const conversationOf = new Map(conversations.map((row) => [row.id, row.conversation_id]));
      await keepUsers(
        sql,
        projectId,
        users.flatMap(({ id, userId }) => {
          const conversationId = conversationOf.get(id);
          return conversationId === undefined ? [] : [{ conversationId, userId }];
        }),
      );
      await removeSessions(sql, ids, removed);
    },
  },
  {
    name: 'audio',
    list: listAudio,
    async remove(sql, { ids, nowMs }, removed) {
      await removed.run(
        sql,
        'stored_audio',
        'UPDATE stored_audio SET erased_at = $2 WHERE name = ANY($1::text[])',
        [ids, nowMs],
      );
    },
  },
];

async function listConversations(
  sql: Sql,
  { projectId, beforeMs, limit, except }: RetentionScope,
  condition: string,
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `SELECT c.id FROM conversations c
      WHERE c.project_id = $1 AND c.started_at < $2 AND ${IS_OVER} AND c.id <> ALL($3::text[]) ${condition}
      ORDER BY c.started_at, c.id LIMIT $4`,
    [projectId, beforeMs, except, limit],
  );
  return rows.map(({ id }) => id);
}

async function listSessions(
  sql: Sql,
  { projectId, beforeMs, limit, except }: RetentionScope,
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `SELECT s.id FROM sessions s JOIN connectors c ON c.id = s.connector_id
      WHERE c.project_id = $1 AND s.ended_at < $2 AND s.id::text <> ALL($3::text[])
      ORDER BY s.ended_at, s.id LIMIT $4`,
    [projectId, beforeMs, except, limit],
  );
  return rows.map(({ id }) => id);
}

async function listAudio(
  sql: Sql,
  { projectId, beforeMs, limit, except }: RetentionScope,
): Promise<readonly string[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT name FROM stored_audio
      WHERE project_id = $1 AND created_at < $2 AND erased_at IS NULL AND name <> ALL($3::text[])
      ORDER BY created_at LIMIT $4`,
    [projectId, beforeMs, except, limit],
  );
  return rows.map(({ name }) => name);
}
