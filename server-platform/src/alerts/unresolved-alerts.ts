import type { Sql } from '../db/index.ts';
import { type AlertEvent, type AlertedRule, writeAlertEvent } from './alert-event.ts';
import type { StoredAlertRule } from './alert-rule.ts';
import { ALERT_RULE_COLUMNS, type AlertRuleRow, readAlertRuleRow } from './alert-rules.ts';
import { INITIAL_STATUS } from './transition.ts';

// After this time a pager that is still open gets no `alerts.resolved` any more. It also bounds the table.
const KEPT_MS = 30 * 86_400_000;

/** A rule as it was when its incident was closed without an event. */
type UnresolvedAlert = Omit<AlertedRule, 'id'> & { readonly currentValue: number | null };

/**
 * Remembers an incident that is closed without `alerts.resolved`, because its rule is changed, disabled or deleted. Run
 * it in the transaction that closes the incident. Source: AL-10.
 */
export async function keepUnresolvedAlert(sql: Sql, rule: StoredAlertRule, nowMs: number): Promise<void> {
  const { name, projectId, metric, operator, threshold, currentValue } = rule;
  const alert: UnresolvedAlert = { name, projectId, metric, operator, threshold, currentValue };
  await sql.query('DELETE FROM unresolved_alerts WHERE account_id = $1 AND closed_at < $2', [
    rule.accountId,
    nowMs - KEPT_MS,
  ]);
  await sql.query(
    `INSERT INTO unresolved_alerts (rule_id, account_id, alert, closed_at) VALUES ($1, $2, $3::json, $4)
     ON CONFLICT (rule_id) DO UPDATE SET alert = EXCLUDED.alert, closed_at = EXCLUDED.closed_at`,
    [rule.id, rule.accountId, JSON.stringify(alert), nowMs],
  );
}

/** Forgets it: the rule has sent `alerts.resolved` since. */
export async function dropUnresolvedAlert(sql: Sql, ruleId: string): Promise<void> {
  await sql.query('DELETE FROM unresolved_alerts WHERE rule_id = $1', [ruleId]);
}

/**
 * Closes what is open of a rule, and gives the `alerts.resolved` to send: an incident that still goes on, or one that was
 * closed without an event. Null: the account has no such rule, or nothing of it is open. A rule that is still breached
 * fires again at its next evaluation. Run it in a transaction.
 */
export async function resolveAlert(
  sql: Sql,
  accountId: string,
  ruleId: string,
  nowMs: number,
): Promise<AlertEvent | null> {
  const [row] = await sql.query<AlertRuleRow>(
    `SELECT ${ALERT_RULE_COLUMNS} FROM alert_rules WHERE id = $1 AND account_id = $2 FOR UPDATE`,
    [ruleId, accountId],
  );
  const [kept] = await sql.query<{ alert: UnresolvedAlert }>(
    'DELETE FROM unresolved_alerts WHERE rule_id = $1 AND account_id = $2 RETURNING alert',
    [ruleId, accountId],
  );
  const rule = row === undefined ? null : readAlertRuleRow(row);
  const resolved = { type: 'alerts.resolved', previousState: 'alert' } as const;
  if (rule?.status.isIncidentOpen === true) {
    await sql.query('UPDATE alert_rules SET state = $2, incident_open = $3, since = $4 WHERE id = $1', [
      ruleId,
      INITIAL_STATUS.state,
      INITIAL_STATUS.isIncidentOpen,
      nowMs,
    ]);
    return writeAlertEvent(rule, resolved, rule.currentValue, nowMs);
  }
  if (kept === undefined) return null;
  return writeAlertEvent({ ...kept.alert, id: ruleId }, resolved, kept.alert.currentValue, nowMs);
}
