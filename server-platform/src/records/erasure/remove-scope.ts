import { and, asc, eq, sql as fragment, inArray, isNull } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import {
  accounts,
  alertRules,
  apiKeys,
  chats,
  connectors,
  conversations,
  conversationUsers,
  type Database,
  phoneNumbers,
  projects,
  queryBuilder,
  readDatabaseTime,
  type Sql,
  sessions,
  unresolvedAlerts,
  webhookEndpoints,
} from '../../db/index.ts';
import { deliveriesOf, eraseTarget, markAudio, type Target } from './erase.ts';
import {
  accountOf,
  connectorsOf,
  isConversationOf,
  isKeyOf,
  projectsOf,
  type RemovalSubject,
} from './removal-scope.ts';
import { RemovedRows } from './removed-rows.ts';

// A transaction blocks other writers of the embedded database for some milliseconds.
const BATCH = 100;

/**
 * Removes an account, a project or a connector with everything that belongs to it: sessions, conversations, keys, alert
 * rules, numbers, and an account's webhooks and desk. Audio files are only marked; `StoredAudio.removeErased` removes
 * them.
 *
 * Keys and tokens are revoked first, so that no new data arrives. Conversations are removed in small transactions;
 * after a failure the rest can be removed again. Open sockets close within two seconds.
 *
 * Resolves with the removed rows of personal data by table, or with `null` when the object does not exist.
 */
export async function removeScope(database: Database, subject: RemovalSubject): Promise<RemovedRows | null> {
  const accountId = await accountOf(database, subject);
  if (accountId === null) return null;
  const removed = new RemovedRows();
  await revokeAll(database, subject);
  const projectIds = (await projectsOf(database, subject)).map(({ id }) => id);
  // A removed project's data goes with it.
  const reservationsOf = subject.kind === 'connector' ? (projectIds[0] ?? null) : null;
  const eraseNext = async (sql: Sql): Promise<RemovedRows | null> => {
    const target = await nextTarget(sql, subject);
    if (target.sessionIds.length + target.conversationIds.length === 0) return null;
    return await eraseTarget(sql, { id: reservationsOf, accountId }, target);
  };
  for (;;) {
    const erased = await database.tx(eraseNext);
    if (erased === null) break;
    removed.addAll(erased);
  }
  const rest = await database.tx(async (sql) => {
    await lockConnectors(sql, subject);
    const late = new RemovedRows();
    for (let next = await eraseNext(sql); next !== null; next = await eraseNext(sql)) late.addAll(next);
    if (subject.kind !== 'connector')
      for (const projectId of projectIds) await removeOfProject(sql, projectId, accountId, late);
    await removeItself(sql, subject);
    return late;
  });
  removed.addAll(rest);
  return removed;
}

async function revokeAll(database: Database, subject: RemovalSubject): Promise<void> {
  const nowMs = await readDatabaseTime(database);
  await database.tx(async (sql) => {
    const build = queryBuilder(sql);
    const isConnector = inArray(connectors.id, connectorsOf(sql, subject));
    await build
      .update(connectors)
      .set({ revokedAt: nowMs })
      .where(and(isConnector, isNull(connectors.revokedAt)));
    const isKey = isKeyOf(subject);
    if (isKey === null) return;
    await build
      .update(apiKeys)
      .set({ revokedAt: nowMs })
      .where(and(isKey, isNull(apiKeys.revokedAt)));
  });
}

/** The next remaining sessions or conversations. */
async function nextTarget(sql: Sql, subject: RemovalSubject): Promise<Target> {
  const build = queryBuilder(sql);
  const ofSessions = await build
    .select({ id: sessions.id })
    .from(sessions)
    .where(inArray(sessions.connectorId, connectorsOf(sql, subject)))
    .orderBy(asc(sessions.id))
    .limit(BATCH);
  if (ofSessions.length > 0) return { sessionIds: ofSessions.map(({ id }) => id), conversationIds: [] };
  const isChat =
    subject.kind === 'connector'
      ? eq(chats.connectorId, subject.id)
      : inArray(chats.projectId, projectsOf(sql, subject));
  const spoken = await union(
    build.select({ id: conversations.id }).from(conversations).where(isConversationOf(sql, subject)),
    build.select({ id: chats.conversationId }).from(chats).where(isChat),
  ).limit(BATCH);
  return { sessionIds: [], conversationIds: spoken.map(({ id }) => id) };
}

/** A session being created holds its connector's row, so it is either seen afterwards or no longer created. */
async function lockConnectors(sql: Sql, subject: RemovalSubject): Promise<void> {
  await queryBuilder(sql)
    .select({ id: connectors.id })
    .from(connectors)
    .where(inArray(connectors.id, connectorsOf(sql, subject)))
    .orderBy(asc(connectors.id))
    .for('update');
}

/** Removes the row itself with everything that references it. */
async function removeItself(sql: Sql, { kind, id }: RemovalSubject): Promise<void> {
  const build = queryBuilder(sql);
  if (kind === 'connector') await build.delete(connectors).where(eq(connectors.id, id));
  if (kind === 'project') await build.delete(projects).where(eq(projects.id, id));
  if (kind !== 'account') return;
  for (const table of [unresolvedAlerts, alertRules, webhookEndpoints])
    await build.delete(table).where(eq(table.accountId, id));
  await build.delete(accounts).where(eq(accounts.id, id));
}

/** Removes rows that name a project without a cascading foreign key. */
async function removeOfProject(
  sql: Sql,
  projectId: string,
  accountId: string,
  removed: RemovedRows,
): Promise<void> {
  const build = queryBuilder(sql);
  const isOpenElsewhere = fragment`${unresolvedAlerts.alert}->>'projectId' = ${projectId}`;
  await build.delete(unresolvedAlerts).where(and(eq(unresolvedAlerts.accountId, accountId), isOpenElsewhere));
  await build.delete(alertRules).where(eq(alertRules.projectId, projectId));
  await removed.delete(sql, [
    deliveriesOf(sql, accountId, [projectId]),
    { table: phoneNumbers, where: eq(phoneNumbers.projectId, projectId) },
    { table: conversationUsers, where: eq(conversationUsers.projectId, projectId) },
  ]);
  await markAudio(sql, projectId, removed);
}
