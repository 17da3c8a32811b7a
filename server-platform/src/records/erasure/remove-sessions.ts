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
  idempotentAnswers,
  queryBuilder,
  type Sql,
  sessions,
  turns,
} from '../../db/index.ts';
import type { Deletion, RemovedRows } from './removed-rows.ts';

/**
 * Locks sessions that are about to be removed, and resolves with the ids of their conversations.
 *
 * Comes before the statement that removes what belongs to them: an append holds its session's row, so it is either done
 * before, and its events are seen by that statement, or finds no session and writes nothing.
 */
export async function lockSessions(sql: Sql, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  // In one order, so that two removals cannot wait for each other.
  const rows = await queryBuilder(sql)
    .select({ conversationId: sessions.conversationId })
    .from(sessions)
    .where(inArray(sessions.id, [...ids]))
    .orderBy(asc(sessions.id))
    .for('update');
  return rows.flatMap(({ conversationId }) => conversationId ?? []);
}

/** Sessions with everything of their log. */
export function rowsOfSessions(ids: readonly string[]): readonly Deletion[] {
  if (ids.length === 0) return [];
  return [
    { table: sessions, where: inArray(sessions.id, [...ids]) },
    ...[turns, events, deskRequests, deskNotes, contactRequests].map((table) => ({
      table,
      where: inArray(table.sessionId, [...ids]),
    })),
  ];
}

/** Removes sessions with everything of their log, in the transaction of `sql`; the record of their conversations stays. */
export async function removeSessions(sql: Sql, ids: readonly string[], removed: RemovedRows): Promise<void> {
  const conversationIds = await lockSessions(sql, ids);
  await removed.delete(sql, [...rowsOfSessions(ids), ...waitsOfConversations(sql, conversationIds)]);
}

/** What conversations waited for and what came for them. */
function waitsOfConversations(sql: Sql, conversationIds: readonly string[]): readonly Deletion[] {
  if (conversationIds.length === 0) return [];
  const isOfThese = inArray(externalWaits.conversationId, [...conversationIds]);
  const ids = queryBuilder(sql).select({ id: externalWaits.eventId }).from(externalWaits).where(isOfThese);
  return [
    { table: externalEvents, where: inArray(externalEvents.eventId, ids) },
    { table: externalWaits, where: isOfThese },
  ];
}

/**
 * Locks conversations of any channel that are about to be removed, and resolves with the ids under which others share their
 * attributes. Comes before the statement that removes them, because a writer of their turns and vectors holds their row.
 */
export async function lockConversations(sql: Sql, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const build = queryBuilder(sql);
  await build
    .select({ id: chats.conversationId })
    .from(chats)
    .where(inArray(chats.conversationId, [...ids]))
    .orderBy(asc(chats.conversationId))
    .for('update');
  const rows = await build
    .select({ sharedId: conversations.sharedId })
    .from(conversations)
    .where(inArray(conversations.id, [...ids]))
    .orderBy(asc(conversations.id))
    .for('update');
  return rows.flatMap(({ sharedId }) => sharedId ?? []);
}

/** Conversations of any channel with their texts. */
export function rowsOfConversations(sql: Sql, ids: readonly string[]): readonly Deletion[] {
  if (ids.length === 0) return [];
  return [
    { table: conversations, where: inArray(conversations.id, [...ids]) },
    { table: conversationUsers, where: inArray(conversationUsers.conversationId, [...ids]) },
    ...spokenRows(sql, ids),
  ];
}

/** Texts of conversations and their agents' state; the conversations' rows stay. */
export function spokenRows(sql: Sql, ids: readonly string[]): readonly Deletion[] {
  if (ids.length === 0) return [];
  return [
    ...[chats, idempotentAnswers, conversationTurns, conversationVectors].map((table) => ({
      table,
      where: inArray(table.conversationId, [...ids]),
    })),
    ...waitsOfConversations(sql, ids),
  ];
}
