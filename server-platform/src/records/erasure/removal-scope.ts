import { count, eq, inArray, or, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import {
  accounts,
  alertRules,
  apiKeys,
  connectors,
  conversations,
  deskPeople,
  deskQueues,
  phoneNumbers,
  projects,
  queryBuilder,
  type Sql,
  sessions,
  storedAudio,
  webhookEndpoints,
} from '../../db/index.ts';

/** The object to remove with everything that belongs to it. */
export type RemovalSubject = {
  readonly kind: 'account' | 'project' | 'connector';
  readonly id: string;
};

/** Counts of a removal by kind, such as `sessions: 12`. */
type RemovalCounts = Readonly<Record<string, number>>;

/** Projects that a removal deletes; for a connector its project, which stays. */
export function projectsOf(sql: Sql, { kind, id }: RemovalSubject) {
  const build = queryBuilder(sql);
  if (kind === 'connector')
    return build.select({ id: connectors.projectId }).from(connectors).where(eq(connectors.id, id));
  const isOne = kind === 'account' ? eq(projects.accountId, id) : eq(projects.id, id);
  return build.select({ id: projects.id }).from(projects).where(isOne);
}

/** Connectors that a removal deletes. */
export function connectorsOf(sql: Sql, subject: RemovalSubject) {
  const isOne =
    subject.kind === 'connector'
      ? eq(connectors.id, subject.id)
      : inArray(connectors.projectId, projectsOf(sql, subject));
  return queryBuilder(sql).select({ id: connectors.id }).from(connectors).where(isOne);
}

/** Condition for the conversations that a removal deletes. */
export function isConversationOf(sql: Sql, subject: RemovalSubject): SQL {
  return subject.kind === 'connector'
    ? eq(conversations.connectorId, subject.id)
    : inArray(conversations.projectId, projectsOf(sql, subject));
}

/** Condition for the keys that a removal deletes. */
export function isKeyOf({ kind, id }: RemovalSubject): SQL | null {
  if (kind === 'connector') return null;
  return kind === 'account' ? eq(apiKeys.accountId, id) : eq(apiKeys.projectId, id);
}

/** Counts the rows that a removal would delete. */
export async function countRemoval(sql: Sql, subject: RemovalSubject): Promise<RemovalCounts> {
  const { kind, id } = subject;
  const projectIds = projectsOf(sql, subject);
  const counts: Record<string, number> = {};
  const add = async (name: string, table: PgTable, where: SQL | undefined): Promise<void> => {
    const [row] = await queryBuilder(sql).select({ n: count() }).from(table).where(where);
    counts[name] = row?.n ?? 0;
  };
  if (kind === 'account') await add('projects', projects, eq(projects.accountId, id));
  if (kind !== 'connector') {
    await add('connectors', connectors, inArray(connectors.projectId, projectIds));
    await add('keys', apiKeys, isKeyOf(subject) ?? undefined);
  }
  await add('sessions', sessions, inArray(sessions.connectorId, connectorsOf(sql, subject)));
  await add('conversations', conversations, isConversationOf(sql, subject));
  if (kind === 'connector') return counts;
  const isOfRule = inArray(alertRules.projectId, projectIds);
  await add(
    'alert_rules',
    alertRules,
    kind === 'account' ? or(isOfRule, eq(alertRules.accountId, id)) : isOfRule,
  );
  await add('phone_numbers', phoneNumbers, inArray(phoneNumbers.projectId, projectIds));
  await add('stored_audio', storedAudio, inArray(storedAudio.projectId, projectIds));
  if (kind !== 'account') return counts;
  await add('webhook_endpoints', webhookEndpoints, eq(webhookEndpoints.accountId, id));
  await add('people', deskPeople, eq(deskPeople.accountId, id));
  await add('queues', deskQueues, eq(deskQueues.accountId, id));
  return counts;
}

/** The account of the removed data; null: it was deleted. */
export async function accountOf(sql: Sql, { kind, id }: RemovalSubject): Promise<string | null> {
  const build = queryBuilder(sql);
  const isOne =
    kind === 'account'
      ? eq(accounts.id, id)
      : inArray(
          accounts.id,
          build
            .select({ id: projects.accountId })
            .from(projects)
            .where(inArray(projects.id, projectsOf(sql, { kind, id }))),
        );
  const [row] = await build.select({ id: accounts.id }).from(accounts).where(isOne);
  return row?.id ?? null;
}
