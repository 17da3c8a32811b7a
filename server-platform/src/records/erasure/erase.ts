import { and, eq, sql as fragment, inArray, isNotNull, isNull, or } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { Project } from '../../accounts/index.ts';
import {
  chats,
  connectors,
  conversations,
  DATABASE_NOW,
  type Database,
  erasures,
  phoneNumbers,
  queryBuilder,
  type Sql,
  sessions,
  storedAudio,
  webhookDeliveries,
  webhookEndpoints,
} from '../../db/index.ts';
import { findUserData } from './find-user-data.ts';
import { lockConversations, lockSessions, rowsOfConversations, rowsOfSessions } from './remove-sessions.ts';
import { type Deletion, RemovedRows } from './removed-rows.ts';
import { usersOf } from './users-of-conversations.ts';

/** The data to erase in a project. */
export type EraseSubject = {
  readonly kind: 'conversation' | 'session' | 'user';
  /** Id of the conversation or session; for a user, the id passed to `identify`. */
  readonly id: string;
};

/** The amount that one transaction erases. */
export type Target = { readonly sessionIds: readonly string[]; readonly conversationIds: readonly string[] };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const now = fragment.raw(DATABASE_NOW);

/**
 * Erases a conversation, a session, or all data of a user: every table, the vectors, reservations, webhook deliveries
 * that name it, and all of the project's stored audio (audio is not tied to a conversation and can be generated again).
 * Audio files are only marked; `StoredAudio.removeErased` removes them.
 *
 * Open sessions are erased too: once committed, no node can write to them, and every node drops them from its memory
 * within two seconds. Each session has its own transaction; after a failure the rest can be erased again.
 *
 * Resolves with the removed rows by table, or with `null` when the project has none.
 */
export async function erase(
  database: Database,
  project: Pick<Project, 'id' | 'accountId'>,
  subject: EraseSubject,
): Promise<RemovedRows | null> {
  // The database contains no U+0000.
  if (subject.id.includes('\0')) return null;
  const targets = await findTargets(database, project.id, subject);
  const removed = new RemovedRows();
  for (const target of targets) {
    removed.addAll(await database.tx((sql) => eraseTarget(sql, project, target)));
  }
  if (subject.kind === 'user') {
    removed.addAll(
      await database.tx(async (sql) => {
        const ofUser = new RemovedRows();
        await clearReservations(sql, project.id, (each) => usersOf(each).includes(subject.id), ofUser);
        await ofUser.delete(sql, [deliveriesOf(sql, project.accountId, [JSON.stringify(subject.id)])]);
        return ofUser;
      }),
    );
  }
  if (removed.total === 0) return null;
  await markAudio(database, project.id, removed);
  return removed;
}

/**
 * Erases a session and its conversation at the visitor's request. Like `erase`, but the project's stored audio stays,
 * because web chat visitors have none.
 */
export async function eraseSession(
  database: Database,
  project: Pick<Project, 'id' | 'accountId'>,
  sessionId: string,
): Promise<RemovedRows> {
  return await database.tx((sql) =>
    eraseTarget(sql, project, { sessionIds: [sessionId], conversationIds: [] }),
  );
}

async function findTargets(
  sql: Sql,
  projectId: string,
  { kind, id }: EraseSubject,
): Promise<readonly Target[]> {
  const build = queryBuilder(sql);
  if (kind === 'user') {
    const { sessionIds, conversationIds } = await findUserData(sql, projectId, id);
    return [
      ...sessionIds.map((sessionId) => ({ sessionIds: [sessionId], conversationIds: [] })),
      ...conversationIds.map((conversationId) => ({ sessionIds: [], conversationIds: [conversationId] })),
    ];
  }
  if (kind === 'session') {
    if (!UUID.test(id)) return [];
    const rows = await build
      .select({ id: sessions.id })
      .from(sessions)
      .innerJoin(connectors, eq(connectors.id, sessions.connectorId))
      .where(and(eq(sessions.id, id), eq(connectors.projectId, projectId)));
    return rows.map((row) => ({ sessionIds: [row.id], conversationIds: [] }));
  }
  const rows = await union(
    build
      .select({ id: conversations.id })
      .from(conversations)
      .where(and(eq(conversations.id, id), eq(conversations.projectId, projectId))),
    build
      .select({ id: chats.conversationId })
      .from(chats)
      .where(and(eq(chats.conversationId, id), eq(chats.projectId, projectId))),
    build
      .select({ id: fragment<string>`${sessions.conversationId}` })
      .from(sessions)
      .innerJoin(connectors, eq(connectors.id, sessions.connectorId))
      .where(and(eq(sessions.conversationId, id), eq(connectors.projectId, projectId))),
  );
  return rows.map((row) => ({ sessionIds: [], conversationIds: [row.id] }));
}

/**
 * Erases sessions and conversations in the transaction of `sql`. Without a project id, the project is about to be
 * removed with its reservations.
 */
export async function eraseTarget(
  sql: Sql,
  project: { readonly id: string | null; readonly accountId: string },
  target: Target,
): Promise<RemovedRows> {
  const removed = new RemovedRows();
  const joined = await sessionsOf(sql, target.conversationIds);
  const sessionIds = [...new Set([...target.sessionIds, ...joined])];
  const ofSessions = await lockSessions(sql, sessionIds);
  const conversationIds = [...new Set([...target.conversationIds, ...ofSessions])];
  const sharedIds = new Set<unknown>(await lockConversations(sql, conversationIds));
  await removed.delete(sql, [
    ...rowsOfSessions(sessionIds),
    ...rowsOfConversations(sql, conversationIds),
    deliveriesOf(sql, project.accountId, [...sessionIds, ...conversationIds]),
  ]);
  if (sharedIds.size > 0 && project.id !== null)
    await clearReservations(sql, project.id, ({ shared_id: id }) => sharedIds.has(id), removed);
  // Every node reads these rows and drops the sessions from its memory.
  if (sessionIds.length > 0)
    await queryBuilder(sql)
      .insert(erasures)
      .values(sessionIds.map((sessionId) => ({ sessionId, erasedAt: now })));
  return removed;
}

async function sessionsOf(sql: Sql, conversationIds: readonly string[]): Promise<readonly string[]> {
  if (conversationIds.length === 0) return [];
  const rows = await queryBuilder(sql)
    .select({ id: sessions.id })
    .from(sessions)
    .where(inArray(sessions.conversationId, [...conversationIds]));
  return rows.map(({ id }) => id);
}

type Attributes = Readonly<Record<string, unknown>>;

/** Empties the attributes of reservations; the numbers stay reserved. */
async function clearReservations(
  sql: Sql,
  projectId: string,
  isWanted: (attributes: Attributes) => boolean,
  removed: RemovedRows,
): Promise<void> {
  const build = queryBuilder(sql);
  const { number, attributes } = phoneNumbers;
  const rows = await build
    .select({ number, attributes })
    .from(phoneNumbers)
    .where(and(eq(phoneNumbers.projectId, projectId), isNotNull(attributes)))
    .for('update');
  const wanted = rows.filter((row) => row.attributes !== null && isWanted(row.attributes));
  const numbers = wanted.map((row) => row.number);
  await build.update(phoneNumbers).set({ attributes: null }).where(inArray(number, numbers));
  removed.add('phone_numbers', numbers.length);
}

/**
 * Deliveries, pending or finished, whose body contains one of the words. The result of a running attempt is not
 * recorded.
 */
export function deliveriesOf(sql: Sql, accountId: string, words: readonly string[]): Deletion {
  const { id, accountId: owner } = webhookEndpoints;
  const endpoints = queryBuilder(sql).select({ id }).from(webhookEndpoints).where(eq(owner, accountId));
  const { endpointId, body } = webhookDeliveries;
  const hasWord = or(...words.map((word) => fragment`strpos(${body}, ${word}::text) > 0`)) ?? fragment`false`;
  return { table: webhookDeliveries, where: and(inArray(endpointId, endpoints), hasWord) };
}

/** Marks the files of a project's stored audio for removal. */
export async function markAudio(sql: Sql, projectId: string, removed: RemovedRows): Promise<void> {
  const marked = await queryBuilder(sql)
    .update(storedAudio)
    .set({ erasedAt: now })
    .where(and(eq(storedAudio.projectId, projectId), isNull(storedAudio.erasedAt)))
    .returning({ name: storedAudio.name });
  removed.add('stored_audio', marked.length);
}
