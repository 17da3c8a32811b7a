import type { Sql } from '../db/index.ts';
import {
  findUsersOfConversations,
  findUsersOfSessions,
  hashUser,
  type NamedUser,
} from './users-of-conversations.ts';

/** What belongs to a user. */
export type UserData = {
  readonly sessionIds: readonly string[];
  readonly conversationIds: readonly string[];
};

// A statement takes some milliseconds for as many, so that other work gets its turn in between.
const PAGE = 500;
const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

/** The sessions and conversations of a project that name a user. Reads all of them, page by page. */
export async function findUserData(sql: Sql, projectId: string, userId: string): Promise<UserData> {
  const isUser = (named: NamedUser): boolean => named.userId === userId;
  const sessionIds = new Set<string>();
  for await (const ids of pages((after) => pageOfSessions(sql, projectId, after), FIRST_UUID))
    for (const { id } of (await findUsersOfSessions(sql, ids)).filter(isUser)) sessionIds.add(id);
  const kept = await sql.query<{ conversation_id: string }>(
    'SELECT conversation_id FROM conversation_users WHERE project_id = $1 AND user_hash = $2',
    [projectId, hashUser(projectId, userId)],
  );
  const conversationIds = new Set(kept.map((row) => row.conversation_id));
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
  const rows = await sql.query<{ id: string }>(
    `SELECT s.id FROM sessions s JOIN connectors c ON c.id = s.connector_id
      WHERE c.project_id = $1 AND s.id > $2 ORDER BY s.id LIMIT ${PAGE}`,
    [projectId, after],
  );
  return rows.map(({ id }) => id);
}

async function pageOfConversations(sql: Sql, projectId: string, after: string): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `SELECT id FROM conversations WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT ${PAGE}`,
    [projectId, after],
  );
  return rows.map(({ id }) => id);
}
