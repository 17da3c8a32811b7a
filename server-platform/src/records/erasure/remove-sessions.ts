import { asc, inArray } from 'drizzle-orm';
import {
  chats,
  contactRequests,
  conversations,
  conversationTurns,
  conversationUsers,
  conversationVectors,
  deskFiles,
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
 * Locks sessions to be removed, and resolves with the ids of their conversations.
 *
 * Must precede the statement that removes their data: an append holds its session's row, so either it completes first
 * and that statement sees its events, or it finds no session and writes nothing.
 */
export async function lockSessions(sql: Sql, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  // In a fixed order, so that two removals cannot deadlock.
  const rows = await queryBuilder(sql)
    .select({ conversationId: sessions.conversationId })
    .from(sessions)
    .where(inArray(sessions.id, [...ids]))
    .orderBy(asc(sessions.id))
    .for('update');
  return rows.flatMap(({ conversationId }) => conversationId ?? []);
}

/** Rows of sessions with their logs. */
export function rowsOfSessions(ids: readonly string[]): readonly Deletion[] {
  if (ids.length === 0) return [];
  return [
    { table: sessions, where: inArray(sessions.id, [...ids]) },
    ...[turns, events, deskRequests, deskNotes, deskFiles, contactRequests].map((table) => ({
      table,
      where: inArray(table.sessionId, [...ids]),
    })),
  ];
}

/** Removes sessions with their logs, in the transaction of `sql`; the record of their conversations stays. */
export async function removeSessions(sql: Sql, ids: readonly string[], removed: RemovedRows): Promise<void> {
  const conversationIds = await lockSessions(sql, ids);
  await removed.delete(sql, [...rowsOfSessions(ids), ...waitsOfConversations(sql, conversationIds)]);
}

/** Waits of conversations and their received events. */
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
 * Locks conversations of any channel to be removed, and resolves with the ids under which others share their
 * attributes. Must precede the statement that removes them, because writers of their turns and vectors hold their row.
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

/** Texts of conversations and the state of their agents; the conversations' rows stay. */
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
