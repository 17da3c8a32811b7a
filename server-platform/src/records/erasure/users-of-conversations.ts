import { createHash } from 'node:crypto';
import { and, inArray, isNotNull } from 'drizzle-orm';
import { queryBuilder, type Sql, sessions } from '../../db/index.ts';
import { rangeOf } from '../../realtime/event-log/index.ts';

/** Field with the id of an identified user in page context, verified context, attributes and metadata. */
const USER_FIELD = 'user_id';

/** The stored form of a user id that must not be stored itself. */
export function hashUser(projectId: string, userId: string): string {
  return createHash('sha256').update(`${projectId}\0${userId}`).digest('hex');
}

/** The users named in a JSON value, at any depth. */
export function usersOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === USER_FIELD && (typeof inner === 'string' || typeof inner === 'number')
      ? [String(inner)]
      : usersOf(inner),
  );
}

/** A session or conversation with a user named in its data. */
export type NamedUser = { readonly id: string; readonly userId: string };

/**
 * Users named by the page, its backend or client events in these sessions. `json` is searched here rather than in the
 * database, which fails on U+0000.
 */
export async function findUsersOfSessions(
  sql: Sql,
  sessionIds: readonly string[],
): Promise<readonly NamedUser[]> {
  if (sessionIds.length === 0) return [];
  const rows = await sql.query<{ id: string; map: unknown }>(
    `SELECT id, context_vault AS map FROM sessions
      WHERE id = ANY($1::uuid[]) AND context_vault IS NOT NULL
     UNION ALL
     SELECT session_id, custom FROM events
      WHERE session_id = ANY($1::uuid[]) AND session_id BETWEEN $3::uuid AND $4::uuid
        AND custom IS NOT NULL AND strpos(custom::text, $2) > 0`,
    [sessionIds, USER_FIELD, ...rangeOf(sessionIds)],
  );
  return readUsers(rows);
}

/** Users named by the attributes of chats and the metadata of turns in these conversations. */
export async function findUsersOfConversations(
  sql: Sql,
  conversationIds: readonly string[],
): Promise<readonly NamedUser[]> {
  const rows = await sql.query<{ id: string; map: unknown }>(
    `SELECT conversation_id AS id, integration_attributes AS map FROM chats
      WHERE conversation_id = ANY($1::text[]) AND integration_attributes IS NOT NULL
     UNION ALL
     SELECT conversation_id, metadata FROM conversation_turns
      WHERE conversation_id = ANY($1::text[]) AND strpos(metadata::text, $2) > 0
     UNION ALL
     SELECT conversation_id, context_state FROM conversation_turns
      WHERE conversation_id = ANY($1::text[]) AND strpos(context_state::text, $2) > 0`,
    [conversationIds, USER_FIELD],
  );
  return readUsers(rows);
}

/** Stores the users of these sessions' conversations before the sessions or their events are removed. */
export async function storeUsersOfSessions(
  sql: Sql,
  projectId: string,
  sessionIds: readonly string[],
): Promise<void> {
  const users = await findUsersOfSessions(sql, sessionIds);
  if (users.length === 0) return;
  const rows = await queryBuilder(sql)
    .select({ id: sessions.id, conversationId: sessions.conversationId })
    .from(sessions)
    .where(and(inArray(sessions.id, [...sessionIds]), isNotNull(sessions.conversationId)));
  const conversationOf = new Map(rows.map(({ id, conversationId }) => [id, conversationId]));
  await storeUsers(
    sql,
    projectId,
    users.flatMap(({ id, userId }) => {
      const conversationId = conversationOf.get(id);
      return conversationId == null ? [] : [{ conversationId, userId }];
    }),
  );
}

/** Stores the users of conversations, so that an erasure finds them after the data that named them was removed. */
export async function storeUsers(
  sql: Sql,
  projectId: string,
  users: readonly { readonly conversationId: string; readonly userId: string }[],
): Promise<void> {
  if (users.length === 0) return;
  await sql.query(
    `INSERT INTO conversation_users (project_id, user_hash, conversation_id)
     SELECT $1, t.hash, c.id
       FROM unnest($2::text[], $3::text[]) AS t (hash, id)
       JOIN conversations c ON c.id = t.id
     ON CONFLICT DO NOTHING`,
    [
      projectId,
      users.map(({ userId }) => hashUser(projectId, userId)),
      users.map(({ conversationId }) => conversationId),
    ],
  );
}

function readUsers(rows: readonly { readonly id: string; readonly map: unknown }[]): readonly NamedUser[] {
  return rows.flatMap(({ id, map }) => usersOf(map).map((userId) => ({ id, userId })));
}
