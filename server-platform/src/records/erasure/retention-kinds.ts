import {
  and,
  asc,
  eq,
  sql as fragment,
  inArray,
  isNull,
  lt,
  not,
  notExists,
  notInArray,
  type SQL,
} from 'drizzle-orm';
import type { RetentionDays } from '../../accounts/index.ts';
import { FIRST_ID_WITHOUT_DAY } from '../../db/ids/index.ts';
import {
  chats,
  connectors,
  conversations,
  queryBuilder,
  type Sql,
  sessions,
  storedAudio,
} from '../../db/index.ts';
import {
  lockConversations,
  lockSessions,
  removeSessions,
  rowsOfConversations,
  rowsOfSessions,
  spokenRows,
} from './remove-sessions.ts';
import type { RemovedRows } from './removed-rows.ts';
import { findUsersOfConversations, storeUsers, storeUsersOfSessions } from './users-of-conversations.ts';

const DAY_MS = 86_400_000;

/** Arguments of a search for old rows. */
export type RetentionScope = {
  readonly projectId: string;
  /** Only data that ended before. */
  readonly beforeMs: number;
  readonly limit: number;
  /** Excluded, because they are retried later. */
  readonly except: readonly string[];
  /** Whether sessions with a day wait until its partition is dropped, a day at most. */
  readonly waits: boolean;
};

type Batch = { readonly projectId: string; readonly ids: readonly string[]; readonly nowMs: number };

/** A kind of data with its own retention. */
export interface RetentionKind {
  readonly name: keyof RetentionDays;
  /** Ids of rows that are too old, oldest first. */
  readonly list: (sql: Sql, scope: RetentionScope) => Promise<readonly string[]>;
  /** Removes a batch, in the transaction of `sql`. */
  readonly remove: (sql: Sql, batch: Batch, removed: RemovedRows) => Promise<void>;
}

/** All kinds. Conversations come first, because removing them also removes data of other kinds. */
export const RETENTION_KINDS: readonly RetentionKind[] = [
  {
    name: 'conversations',
    list: (sql, scope) => listConversations(sql, scope, undefined),
    async remove(sql, { ids }, removed) {
      const rows = await queryBuilder(sql)
        .select({ id: sessions.id })
        .from(sessions)
        .where(inArray(sessions.conversationId, [...ids]));
      const sessionIds = rows.map(({ id }) => id);
      await lockSessions(sql, sessionIds);
      await lockConversations(sql, ids);
      await removed.delete(sql, [...rowsOfSessions(sessionIds), ...rowsOfConversations(sql, ids)]);
    },
  },
  {
    name: 'turns',
    list: (sql, scope) =>
      listConversations(sql, { ...scope, waits: false }, isNull(conversations.turnsRemovedAt)),
    async remove(sql, { projectId, ids, nowMs }, removed) {
      const users = await findUsersOfConversations(sql, ids);
      await storeUsers(
        sql,
        projectId,
        users.map(({ id, userId }) => ({ conversationId: id, userId })),
      );
      await queryBuilder(sql)
        .update(conversations)
        .set({ turnsRemovedAt: nowMs, needsVector: false })
        .where(inArray(conversations.id, [...ids]));
      await removed.delete(sql, spokenRows(sql, ids));
    },
  },
  {
    name: 'events',
    list: listSessions,
    async remove(sql, { projectId, ids }, removed) {
      await storeUsersOfSessions(sql, projectId, ids);
      await removeSessions(sql, ids, removed);
    },
  },
  {
    name: 'audio',
    list: listAudio,
    async remove(sql, { ids, nowMs }, removed) {
      const marked = await queryBuilder(sql)
        .update(storedAudio)
        .set({ erasedAt: nowMs })
        .where(inArray(storedAudio.name, [...ids]))
        .returning({ name: storedAudio.name });
      removed.add('stored_audio', marked.length);
    },
  },
];

// A conversation without an end also counts as ended if it has no open session or chat, because its process died.
async function listConversations(
  sql: Sql,
  { projectId, beforeMs, limit, except, waits }: RetentionScope,
  condition: SQL | undefined,
): Promise<readonly string[]> {
  const build = queryBuilder(sql);
  const { id, startedAt, endedAt } = conversations;
  const openSessions = build
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.conversationId, id), isNull(sessions.endedAt)));
  const waitingSessions = build
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.conversationId, id), isWaiting(beforeMs)));
  const openChats = build
    .select({ id: chats.conversationId })
    .from(chats)
    .where(and(eq(chats.conversationId, id), eq(chats.status, 'open')));
  const rows = await build
    .select({ id })
    .from(conversations)
    .where(
      and(
        eq(conversations.projectId, projectId),
        lt(startedAt, beforeMs),
        lt(fragment`coalesce(${endedAt}, ${startedAt})`, beforeMs),
        notExists(openSessions),
        notExists(openChats),
        waits ? notExists(waitingSessions) : undefined,
        notInArray(id, [...except]),
        condition,
      ),
    )
    .orderBy(asc(startedAt), asc(id))
    .limit(limit);
  return rows.map((row) => row.id);
}

async function listSessions(
  sql: Sql,
  { projectId, beforeMs, limit, except, waits }: RetentionScope,
): Promise<readonly string[]> {
  // Other kinds share the list of exceptions, whose ids are not UUIDs.
  const isExcepted = fragment`${sessions.id}::text = ANY(${fragment.param(except)}::text[])`;
  const rows = await queryBuilder(sql)
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(connectors, eq(connectors.id, sessions.connectorId))
    .where(
      and(
        eq(connectors.projectId, projectId),
        lt(sessions.endedAt, beforeMs),
        not(isExcepted),
        waits ? not(isWaiting(beforeMs)) : undefined,
      ),
    )
    .orderBy(asc(sessions.endedAt), asc(sessions.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

function isWaiting(beforeMs: number): SQL {
  return fragment`(${sessions.id} < ${FIRST_ID_WITHOUT_DAY}::uuid AND ${sessions.endedAt} >= ${beforeMs - DAY_MS})`;
}

async function listAudio(
  sql: Sql,
  { projectId, beforeMs, limit, except }: RetentionScope,
): Promise<readonly string[]> {
  const { name, createdAt, erasedAt } = storedAudio;
  const isOld = and(eq(storedAudio.projectId, projectId), lt(createdAt, beforeMs));
  const rows = await queryBuilder(sql)
    .select({ name })
    .from(storedAudio)
    .where(and(isOld, isNull(erasedAt), notInArray(name, [...except])))
    .orderBy(asc(createdAt))
    .limit(limit);
  return rows.map((row) => row.name);
}
