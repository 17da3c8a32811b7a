import { and, asc, eq, gt } from 'drizzle-orm';
import {
  connectors,
  conversations,
  conversationUsers,
  queryBuilder,
  type Sql,
  sessions,
} from '../../db/index.ts';
import {
  findUsersOfConversations,
  findUsersOfSessions,
  hashUser,
  type NamedUser,
} from './users-of-conversations.ts';

/** Data of a user. */
export type UserData = {
  readonly sessionIds: readonly string[];
  readonly conversationIds: readonly string[];
};

// A statement takes some milliseconds for this many, so that other work runs in between.
const PAGE = 500;
const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

/** The sessions and conversations of a project that name a user. Reads all of them, page by page. */
export async function findUserData(sql: Sql, projectId: string, userId: string): Promise<UserData> {
  const isUser = (named: NamedUser): boolean => named.userId === userId;
  const sessionIds = new Set<string>();
  for await (const ids of pages((after) => pageOfSessions(sql, projectId, after), FIRST_UUID))
    for (const { id } of (await findUsersOfSessions(sql, ids)).filter(isUser)) sessionIds.add(id);
  const kept = await queryBuilder(sql)
    .select({ id: conversationUsers.conversationId })
    .from(conversationUsers)
    .where(
      and(
        eq(conversationUsers.projectId, projectId),
        eq(conversationUsers.userHash, hashUser(projectId, userId)),
      ),
    );
  const conversationIds = new Set(kept.map(({ id }) => id));
  for await (const ids of pages((after) => pageOfConversations(sql, projectId, after), ''))
    for (const { id } of (await findUsersOfConversations(sql, ids)).filter(isUser)) conversationIds.add(id);
  return { sessionIds: [...sessionIds], conversationIds: [...conversationIds] };
}

async function* pages(
  read: (after: string) => Promise<readonly string[]>,
  first: string,
): AsyncGenerator<readonly string[]> {
  let after = first;
  for (;;) {
    const ids = await read(after);
    if (ids.length > 0) yield ids;
    if (ids.length < PAGE) return;
    after = ids.at(-1) ?? after;
  }
}

async function pageOfSessions(sql: Sql, projectId: string, after: string): Promise<readonly string[]> {
  const rows = await queryBuilder(sql)
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(connectors, eq(connectors.id, sessions.connectorId))
    .where(and(eq(connectors.projectId, projectId), gt(sessions.id, after)))
    .orderBy(asc(sessions.id))
    .limit(PAGE);
  return rows.map(({ id }) => id);
}

async function pageOfConversations(sql: Sql, projectId: string, after: string): Promise<readonly string[]> {
  const rows = await queryBuilder(sql)
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.projectId, projectId), gt(conversations.id, after)))
    .orderBy(asc(conversations.id))
    .limit(PAGE);
  return rows.map(({ id }) => id);
}
