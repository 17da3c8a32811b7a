import { and, desc, eq, lt } from 'drizzle-orm';
import { alertRules, queryBuilder, type Sql, unresolvedAlerts } from '../../db/index.ts';
import { type AlertEvent, type AlertedRule, writeAlertEvent } from './alert-event.ts';
import type { StoredAlertRule } from './alert-rule.ts';
import { lockAlertRule } from './alert-rules.ts';
import { noteAlertState } from './alert-states.ts';
import { INITIAL_STATUS } from './transition.ts';

// A pager still open after this time gets no `alerts.resolved`. Also bounds the table.
const KEPT_MS = 30 * 86_400_000;
const MOST_LISTED = 50;

/** A rule at the time its incident was closed without an event. */
type UnresolvedAlert = Omit<AlertedRule, 'id'> & { readonly currentValue: number | null };

/**
 * Stores an incident that is closed without `alerts.resolved`, because its rule is changed, disabled or deleted. Run it
 * in the transaction that closes the incident. Source: AL-10.
 */
export async function storeUnresolvedAlert(sql: Sql, rule: StoredAlertRule, nowMs: number): Promise<void> {
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

/** Incidents of an account closed without `alerts.resolved`, latest first. */
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
  // Only `storeUnresolvedAlert` writes it.
  return rows.map(({ ruleId, alert, closedAt }) => ({
    ruleId,
    name: (alert as UnresolvedAlert).name,
    closedAtMs: closedAt,
  }));
}

/** Removes it after the rule has sent `alerts.resolved`. */
export async function removeUnresolvedAlert(sql: Sql, ruleId: string): Promise<void> {
  await queryBuilder(sql).delete(unresolvedAlerts).where(eq(unresolvedAlerts.ruleId, ruleId));
}

/**
 * Closes a rule's incident, and returns the `alerts.resolved` to send: for an open incident, or one closed without an
 * event. Null: the account has no such rule, or it has no incident. A rule still in breach fires again at its next
 * evaluation. Run it in a transaction.
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
  // Only `storeUnresolvedAlert` writes it.
  const alert = kept.alert as UnresolvedAlert;
  return writeAlertEvent({ ...alert, id: ruleId }, resolved, alert.currentValue, nowMs);
}
