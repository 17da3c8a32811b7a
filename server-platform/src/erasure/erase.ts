import type { Project } from '../accounts/index.ts';
import type { Database, Sql } from '../db/index.ts';
import { findUserData } from './find-user-data.ts';
import { removeConversations, removeSessions } from './remove-sessions.ts';
import { RemovedRows } from './removed-rows.ts';
import { usersOf } from './users-of-conversations.ts';

/** What to erase in a project. */
export type EraseSubject = {
  readonly kind: 'conversation' | 'session' | 'user';
  /** Id of the conversation or session; for a user the id that `identify` was given. */
  readonly id: string;
};

/** What one transaction erases. */
type Target = { readonly sessionIds: readonly string[]; readonly conversationIds: readonly string[] };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * Erases a conversation, a session, or everything of a user: every table, the vectors, reservations, webhook deliveries
 * that name it, and all stored audio of the project (audio is not tied to a conversation, and made again on request).
 * Files of audio are marked; `StoredAudio.removeErased` removes them.
 *
 * Works on open sessions too: from the commit on no node can write to them, and every node drops them from its memory
 * within two seconds. Each session is a transaction of its own; after a failure what is left can be erased again.
 *
 * Resolves with what was removed, or with null when there is nothing of it in the project.
 */
export async function erase(
  database: Database,
  project: Pick<Project, 'id' | 'accountId'>,
  subject: EraseSubject,
): Promise<RemovedRows | null> {
  // No text of the database holds U+0000.
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
        await removeDeliveries(sql, project.accountId, [JSON.stringify(subject.id)], ofUser);
        return ofUser;
      }),
    );
  }
  if (removed.total === 0) return null;
  await markAudio(database, project.id, removed);
  return removed;
}

async function findTargets(
  sql: Sql,
  projectId: string,
  { kind, id }: EraseSubject,
): Promise<readonly Target[]> {
  if (kind === 'user') {
    const { sessionIds, conversationIds } = await findUserData(sql, projectId, id);
    return [
      ...sessionIds.map((sessionId) => ({ sessionIds: [sessionId], conversationIds: [] })),
      ...conversationIds.map((conversationId) => ({ sessionIds: [], conversationIds: [conversationId] })),
    ];
  }
  if (kind === 'session') {
    if (!UUID.test(id)) return [];
    const rows = await sql.query<{ id: string }>(
      `SELECT s.id FROM sessions s JOIN connectors c ON c.id = s.connector_id
        WHERE s.id = $1 AND c.project_id = $2`,
      [id, projectId],
    );
    return rows.map((row) => ({ sessionIds: [row.id], conversationIds: [] }));
  }
  const rows = await sql.query<{ id: string }>(
    `SELECT id FROM conversations WHERE id = $1 AND project_id = $2
     UNION SELECT conversation_id FROM chats WHERE conversation_id = $1 AND project_id = $2
     UNION SELECT s.conversation_id FROM sessions s JOIN connectors c ON c.id = s.connector_id
            WHERE s.conversation_id = $1 AND c.project_id = $2`,
    [id, projectId],
  );
  return rows.map((row) => ({ sessionIds: [], conversationIds: [row.id] }));
}

async function eraseTarget(
  sql: Sql,
  project: Pick<Project, 'id' | 'accountId'>,
  target: Target,
): Promise<RemovedRows> {
  const removed = new RemovedRows();
  const joined = await sql.query<{ id: string }>(
    'SELECT id FROM sessions WHERE conversation_id = ANY($1::text[])',
    [target.conversationIds],
  );
  const sessionIds = [...new Set([...target.sessionIds, ...joined.map(({ id }) => id)])];
  const ofSessions = await removeSessions(sql, sessionIds, removed);
  const conversationIds = [...new Set([...target.conversationIds, ...ofSessions])];
  const shared = await sql.query<{ shared_id: string }>(
    'SELECT shared_id FROM conversations WHERE id = ANY($1::text[]) AND shared_id IS NOT NULL',
    [conversationIds],
  );
  await removeConversations(sql, conversationIds, removed);
  const sharedIds = new Set<unknown>(shared.map((row) => row.shared_id));
  if (sharedIds.size > 0)
    await clearReservations(sql, project.id, ({ shared_id: id }) => sharedIds.has(id), removed);
  await removeDeliveries(sql, project.accountId, [...sessionIds, ...conversationIds], removed);
  // Read by every node, which then drops the sessions from its memory.
  await sql.query(
    `INSERT INTO erasures (session_id, erased_at) SELECT id, ${NOW} FROM unnest($1::uuid[]) AS t (id)`,
    [sessionIds],
  );
  return removed;
}

type Attributes = Readonly<Record<string, unknown>>;

/** Empties the attributes of reservations; the numbers stay reserved. */
async function clearReservations(
  sql: Sql,
  projectId: string,
  isWanted: (attributes: Attributes) => boolean,
  removed: RemovedRows,
): Promise<void> {
  const rows = await sql.query<{ number: string; attributes: Attributes }>(
    'SELECT number, attributes FROM phone_numbers WHERE project_id = $1 AND attributes IS NOT NULL FOR UPDATE',
    [projectId],
  );
  const numbers = rows.filter(({ attributes }) => isWanted(attributes)).map(({ number }) => number);
  await removed.run(
    sql,
    'phone_numbers',
    'UPDATE phone_numbers SET attributes = NULL WHERE number = ANY($1::text[])',
    [numbers],
  );
}

/** Removes deliveries whose body holds one of the words, pending or over. An attempt under way ends unrecorded. */
async function removeDeliveries(
  sql: Sql,
  accountId: string,
  words: readonly string[],
  removed: RemovedRows,
): Promise<void> {
  await removed.run(
    sql,
    'webhook_deliveries',
    `DELETE FROM webhook_deliveries d
      USING webhook_endpoints e
      WHERE e.id = d.endpoint_id AND e.account_id = $1
        AND EXISTS (SELECT 1 FROM unnest($2::text[]) AS t (word) WHERE strpos(d.body, t.word) > 0)`,
    [accountId, words],
  );
}

async function markAudio(sql: Sql, projectId: string, removed: RemovedRows): Promise<void> {
  await removed.run(
    sql,
    'stored_audio',
    `UPDATE stored_audio SET erased_at = ${NOW} WHERE project_id = $1 AND erased_at IS NULL`,
    [projectId],
  );
}
