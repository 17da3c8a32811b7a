import { asc, inArray } from 'drizzle-orm';
import {
  chats,
  contactRequests,
  conversations,
  conversationTurns,
  conversationUsers,
  conversationVectors,
  deskNotes,
  deskRequests,
  events,
  externalEvents,
  externalWaits,
  queryBuilder,
  type Sql,
  sessions,
  turns,
} from '../db/index.ts';
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
  const rows = await queryBuilder(sql)
    .select({ conversationId: sessions.conversationId })
    .from(sessions)
    .where(inArray(sessions.id, [...ids]))
    .orderBy(asc(sessions.id))
    .for('update');
  const conversationIds = rows.flatMap(({ conversationId }) => conversationId ?? []);
  await removed.delete(sql, sessions, inArray(sessions.id, [...ids]));
  await removed.delete(sql, turns, inArray(turns.sessionId, [...ids]));
  await removed.delete(sql, events, inArray(events.sessionId, [...ids]));
  for (const table of [deskRequests, deskNotes, contactRequests])
    await removed.delete(sql, table, inArray(table.sessionId, [...ids]));
  await removeExternalEvents(sql, conversationIds, removed);
  return conversationIds;
}

/** Removes what conversations waited for and what came for them. */
async function removeExternalEvents(
  sql: Sql,
  conversationIds: readonly string[],
  removed: RemovedRows,
): Promise<void> {
  const isOfThese = inArray(externalWaits.conversationId, [...conversationIds]);
  const ids = queryBuilder(sql).select({ id: externalWaits.eventId }).from(externalWaits).where(isOfThese);
  await removed.delete(sql, externalEvents, inArray(externalEvents.eventId, ids));
  await removed.delete(sql, externalWaits, isOfThese);
}

/**
 * Removes conversations of any channel with their texts, in the transaction of `sql`. Their rows go before their turns
 * and vectors, because a writer of these holds the conversation's row.
 */
export async function removeConversations(
  sql: Sql,
  ids: readonly string[],
  removed: RemovedRows,
): Promise<void> {
  const build = queryBuilder(sql);
  await build
    .select({ id: chats.conversationId })
    .from(chats)
    .where(inArray(chats.conversationId, [...ids]))
    .orderBy(asc(chats.conversationId))
    .for('update');
  await build
    .select({ id: conversations.id })
    .from(conversations)
    .where(inArray(conversations.id, [...ids]))
    .orderBy(asc(conversations.id))
    .for('update');
  await removed.delete(sql, conversations, inArray(conversations.id, [...ids]));
  await removed.delete(sql, conversationUsers, inArray(conversationUsers.conversationId, [...ids]));
  await removeSpoken(sql, ids, removed);
}

/** Removes texts of conversations and their agents' state; the rows stay. */
export async function removeSpoken(sql: Sql, ids: readonly string[], removed: RemovedRows): Promise<void> {
  for (const table of [chats, conversationTurns, conversationVectors])
    await removed.delete(sql, table, inArray(table.conversationId, [...ids]));
  await removeExternalEvents(sql, ids, removed);
}
