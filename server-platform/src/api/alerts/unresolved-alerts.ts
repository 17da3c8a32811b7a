import { and, desc, eq, lt } from 'drizzle-orm';
import { alertRules, queryBuilder, type Sql, unresolvedAlerts } from '../../db/index.ts';
import { type AlertEvent, type AlertedRule, writeAlertEvent } from './alert-event.ts';
import type { StoredAlertRule } from './alert-rule.ts';
import { lockAlertRule } from './alert-rules.ts';
import { noteAlertState } from './alert-states.ts';
import { INITIAL_STATUS } from './transition.ts';

// After this time a pager that is still open gets no `alerts.resolved` any more. It also bounds the table.
const KEPT_MS = 30 * 86_400_000;
const MOST_LISTED = 50;

/** A rule as it was when its incident was closed without an event. */
type UnresolvedAlert = Omit<AlertedRule, 'id'> & { readonly currentValue: number | null };

/**
 * Remembers an incident that is closed without `alerts.resolved`, because its rule is changed, disabled or deleted. Run
 * it in the transaction that closes the incident. Source: AL-10.
 */
export async function keepUnresolvedAlert(sql: Sql, rule: StoredAlertRule, nowMs: number): Promise<void> {
  const { name, projectId, metric, operator, threshold, currentValue } = rule;
  const alert: UnresolvedAlert = { name, projectId, metric, operator, threshold, currentValue };
  const { id: ruleId, accountId } = rule;
  const build = queryBuilder(sql);
  const isOld = lt(unresolvedAlerts.closedAt, nowMs - KEPT_MS);
  await build.delete(unresolvedAlerts).where(and(eq(unresolvedAlerts.accountId, accountId), isOld));
  await build
    .insert(unresolvedAlerts)
    .values({ ruleId, accountId, alert, closedAt: nowMs })
    .onConflictDoUpdate({ target: unresolvedAlerts.ruleId, set: { alert, closedAt: nowMs } });
}

/** The incidents of an account that were closed without `alerts.resolved`, the latest first. */
export async function listUnresolvedAlerts(
  sql: Sql,
  accountId: string,
): Promise<readonly { readonly ruleId: string; readonly name: string; readonly closedAtMs: number }[]> {
  const rows = await queryBuilder(sql)
    .select()
    .from(unresolvedAlerts)
    .where(eq(unresolvedAlerts.accountId, accountId))
    .orderBy(desc(unresolvedAlerts.closedAt))
    .limit(MOST_LISTED);
  // Written by `keepUnresolvedAlert` alone.
  return rows.map(({ ruleId, alert, closedAt }) => ({
    ruleId,
    name: (alert as UnresolvedAlert).name,
    closedAtMs: closedAt,
  }));
}

/** Forgets it: the rule has sent `alerts.resolved` since. */
export async function dropUnresolvedAlert(sql: Sql, ruleId: string): Promise<void> {
  await queryBuilder(sql).delete(unresolvedAlerts).where(eq(unresolvedAlerts.ruleId, ruleId));
}

/**
 * Closes the open incident of a rule, and returns the `alerts.resolved` to send: for one that is still open, or one that was
 * closed without an event. Null: the account has no such rule, or nothing of it is open. A rule that is still breached
 * fires again at its next evaluation. Run it in a transaction.
 */
export async function resolveAlert(
  sql: Sql,
  accountId: string,
  ruleId: string,
  nowMs: number,
): Promise<AlertEvent | null> {
  const build = queryBuilder(sql);
  const rule = await lockAlertRule(sql, accountId, ruleId);
  const [kept] = await build
    .delete(unresolvedAlerts)
    .where(and(eq(unresolvedAlerts.ruleId, ruleId), eq(unresolvedAlerts.accountId, accountId)))
    .returning({ alert: unresolvedAlerts.alert });
  const resolved = { type: 'alerts.resolved', previousState: 'alert' } as const;
  if (rule?.status.isIncidentOpen === true) {
    await build
      .update(alertRules)
      .set({ ...INITIAL_STATUS, since: nowMs })
      .where(eq(alertRules.id, ruleId));
    await noteAlertState(sql, { ruleId, state: 'ok', value: rule.currentValue, atMs: nowMs });
    return writeAlertEvent(rule, resolved, rule.currentValue, nowMs);
  }
  if (kept === undefined) return null;
  // Written by `keepUnresolvedAlert` alone.
  const alert = kept.alert as UnresolvedAlert;
  return writeAlertEvent({ ...alert, id: ruleId }, resolved, alert.currentValue, nowMs);
}
