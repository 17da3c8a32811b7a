import type { Sql } from '../db/index.ts';
import type { RemovedRows } from './removed-rows.ts';

/**
 * Removes sessions with everything of their log, in the transaction of `sql`, and resolves with the ids of their
 * conversations, whose record stays.
 *
 * The sessions' rows go first: an append holds its session's row, so it is either done before, and its events are
 * removed here, or finds no session and writes nothing.
 */
export async function removeSessions(
  sql: Sql,
  ids: readonly string[],
  removed: RemovedRows,
): Promise<readonly string[]> {
  // In one order, so that two removals cannot wait for each other.
  const rows = await sql.query<{ conversation_id: string | null }>(
    'SELECT conversation_id FROM sessions WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE',
    [ids],
  );
  const conversationIds = rows.flatMap(({ conversation_id: id }) => id ?? []);
  await removed.run(sql, 'turns', 'DELETE FROM turns WHERE session_id = ANY($1::uuid[])', [ids]);
  await removed.run(sql, 'sessions', 'DELETE FROM sessions WHERE id = ANY($1::uuid[])', [ids]);
  await removed.run(sql, 'events', 'DELETE FROM events WHERE session_id = ANY($1::uuid[])', [ids]);
  await removeExternalEvents(sql, conversationIds, removed);
  return conversationIds;
}

/** Removes what conversations waited for and what came for them. */
async function removeExternalEvents(
  sql: Sql,
  conversationIds: readonly string[],
  removed: RemovedRows,
): Promise<void> {
  await removed.run(
    sql,
    'external_events',
    `DELETE FROM external_events WHERE event_id IN
       (SELECT event_id FROM external_waits WHERE conversation_id = ANY($1::text[]))`,
    [conversationIds],
  );
  await removed.run(
    sql,
    'external_waits',
    'DELETE FROM external_waits WHERE conversation_id = ANY($1::text[])',
    [conversationIds],
  );
}

/**
 * Removes conversations of any channel with what was said in them, in the transaction of `sql`. Their rows go before
 * their turns and vectors: who adds one of these holds the conversation's row.
 */
export async function removeConversations(
  sql: Sql,
  ids: readonly string[],
  removed: RemovedRows,
): Promise<void> {
  await sql.query(
    'SELECT 1 FROM chats WHERE conversation_id = ANY($1::text[]) ORDER BY conversation_id FOR UPDATE',
    [ids],
  );
  await sql.query('SELECT 1 FROM conversations WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE', [ids]);
  await removed.run(sql, 'conversations', 'DELETE FROM conversations WHERE id = ANY($1::text[])', [ids]);
  await removed.run(
    sql,
    'conversation_users',
    'DELETE FROM conversation_users WHERE conversation_id = ANY($1::text[])',
    [ids],
  );
  await removeSpoken(sql, ids, removed);
}

/** Removes what was said in conversations and what their agents remember of it; their rows stay. */
export async function removeSpoken(sql: Sql, ids: readonly string[], removed: RemovedRows): Promise<void> {
  for (const table of ['chats', 'conversation_turns', 'conversation_vectors'] as const) {
    await removed.run(sql, table, `DELETE FROM ${table} WHERE conversation_id = ANY($1::text[])`, [ids]);
  }
  await removeExternalEvents(sql, ids, removed);
}
