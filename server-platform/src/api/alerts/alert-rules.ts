import type { AlertMetric, AlertState } from '@natter/sdk';
import { and, eq } from 'drizzle-orm';
import { lockAccount } from '../../accounts/index.ts';
import { newRandomId } from '../../db/ids/index.ts';
import { alertRules, queryBuilder, type Sql } from '../../db/index.ts';
import type { AlertRuleFields, StoredAlertRule } from './alert-rule.ts';
import { noteAlertState } from './alert-states.ts';
import { INITIAL_STATUS } from './transition.ts';

/** Maximum rules per account, including disabled ones. Source: AL-2. */
const MAX_ALERT_RULES = 10;

/** Filters of an account's rules; an absent filter means all. */
export type AlertRuleFilter = {
  readonly projectId?: string | undefined;
  readonly metric?: AlertMetric | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly state?: AlertState | undefined;
};

/** Adds a rule; null when the account has reached its limit. Run it in a transaction. Source: AL-2, AL-10. */
export async function addAlertRule(
  sql: Sql,
  accountId: string,
  fields: AlertRuleFields,
  nowMs: number,
): Promise<StoredAlertRule | null> {
  const build = queryBuilder(sql);
  await lockAccount(sql, accountId);
  if ((await build.$count(alertRules, eq(alertRules.accountId, accountId))) >= MAX_ALERT_RULES) return null;
  const { name, projectId, metric, operator, threshold, window, isEnabled } = fields;
  const [row] = await build
    .insert(alertRules)
    .values({
      id: newRandomId('ar'),
      accountId,
      ...{ name, projectId, metric, operator, threshold, window, isEnabled },
      ...INITIAL_STATUS,
      since: nowMs,
      dueAt: nowMs,
      createdAt: nowMs,
      updatedAt: nowMs,
    })
    .returning();
  return row === undefined ? null : readAlertRuleRow(row);
}

/** Rules of an account by creation time. */
export async function listAlertRules(
  sql: Sql,
  accountId: string,
  filter: AlertRuleFilter = {},
): Promise<readonly StoredAlertRule[]> {
  const { projectId, metric, isEnabled, state } = filter;
  const rows = await queryBuilder(sql)
    .select()
    .from(alertRules)
    .where(
      and(
        eq(alertRules.accountId, accountId),
        projectId === undefined ? undefined : eq(alertRules.projectId, projectId),
        metric && eq(alertRules.metric, metric),
        isEnabled === undefined ? undefined : eq(alertRules.isEnabled, isEnabled),
        state && eq(alertRules.state, state),
      ),
    )
    .orderBy(alertRules.createdAt, alertRules.id);
  return rows.map(readAlertRuleRow);
}

/** Finds a rule of an account; null if there is none. Source: AL-4. */
export async function findAlertRule(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<StoredAlertRule | null> {
  const [row] = await queryBuilder(sql).select().from(alertRules).where(isRule(accountId, id));
  return row === undefined ? null : readAlertRuleRow(row);
}

/**
 * Changes the given fields of a rule and resolves with the rule before and after; null: the account has no such rule. A
 * change of anything but the name resets the rule to `ok` and closes its incident without an event. Run it in a
 * transaction. Source: AL-10.
 */
export async function changeAlertRule(
  sql: Sql,
  accountId: string,
  id: string,
  changes: { readonly [Field in keyof AlertRuleFields]?: AlertRuleFields[Field] | undefined },
  nowMs: number,
): Promise<{ readonly before: StoredAlertRule; readonly after: StoredAlertRule } | null> {
  const before = await lockAlertRule(sql, accountId, id);
  if (before === null) return null;
  const fields: AlertRuleFields = {
    name: changes.name ?? before.name,
    projectId: changes.projectId === undefined ? before.projectId : changes.projectId,
    metric: changes.metric ?? before.metric,
    operator: changes.operator ?? before.operator,
    threshold: changes.threshold ?? before.threshold,
    window: changes.window ?? before.window,
    isEnabled: changes.isEnabled ?? before.isEnabled,
  };
  const isNew = hasNewMeaning(before, fields);
  if (!isNew && fields.name === before.name) return { before, after: before };
  const reset = { ...INITIAL_STATUS, since: nowMs, dueAt: nowMs, lastEvaluatedAt: null, currentValue: null };
  const [row] = await queryBuilder(sql)
    .update(alertRules)
    .set({ ...fields, updatedAt: nowMs, ...(isNew && reset) })
    .where(eq(alertRules.id, id))
    .returning();
  if (row === undefined) return null;
  if (isNew) await noteAlertState(sql, { ruleId: id, state: 'changed', value: null, atMs: nowMs });
  return { before, after: readAlertRuleRow(row) };
}

/** Finds and locks a rule of an account until the transaction ends; null if there is none. */
export async function lockAlertRule(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<StoredAlertRule | null> {
  const [row] = await queryBuilder(sql).select().from(alertRules).where(isRule(accountId, id)).for('update');
  return row === undefined ? null : readAlertRuleRow(row);
}

const isRule = (accountId: string, id: string) =>
  and(eq(alertRules.id, id), eq(alertRules.accountId, accountId));

/** Removes a rule and resolves with it; null: the account has no such rule. */
export async function removeAlertRule(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<StoredAlertRule | null> {
  const [row] = await queryBuilder(sql).delete(alertRules).where(isRule(accountId, id)).returning();
  return row === undefined ? null : readAlertRuleRow(row);
}

/** Converts a row to a rule. */
export function readAlertRuleRow(row: typeof alertRules.$inferSelect): StoredAlertRule {
  const { state, isIncidentOpen, since, lastEvaluatedAt, dueAt: _, createdAt, updatedAt, ...fields } = row;
  return {
    ...fields,
    status: { state, isIncidentOpen },
    sinceMs: since,
    lastEvaluatedAtMs: lastEvaluatedAt,
    createdAtMs: createdAt,
    updatedAtMs: updatedAt,
  };
}

/** Whether the rules differ in more than the name. */
function hasNewMeaning(before: AlertRuleFields, after: AlertRuleFields): boolean {
  return (
    before.projectId !== after.projectId ||
    before.metric !== after.metric ||
    before.operator !== after.operator ||
    before.threshold !== after.threshold ||
    before.window !== after.window ||
    before.isEnabled !== after.isEnabled
  );
}
