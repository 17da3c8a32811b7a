import type { AlertMetric, AlertOperator, AlertState, AlertWindow } from '@natter/sdk';
import type { Sql } from '../db/index.ts';
import { newRandomId } from '../random-id.ts';
import type { AlertRuleFields, StoredAlertRule } from './alert-rule.ts';
import { INITIAL_STATUS } from './transition.ts';

/** Rules of one account, disabled ones included. Source: AL-2. */
const MAX_ALERT_RULES = 10;

/** Which rules of an account; what is left out does not narrow. */
export type AlertRuleFilter = {
  readonly projectId?: string | undefined;
  readonly metric?: AlertMetric | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly state?: AlertState | undefined;
};

export type AlertRuleRow = {
  readonly id: string;
  readonly account_id: string;
  readonly project_id: string | null;
  readonly name: string;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  readonly threshold: number;
  readonly window_duration: AlertWindow;
  readonly enabled: boolean;
  readonly state: AlertState;
  readonly incident_open: boolean;
  readonly since: number;
  readonly last_evaluated_at: number | null;
  readonly current_value: number | null;
  readonly created_at: number;
  readonly updated_at: number;
};

/** The columns of {@link AlertRuleRow}. */
export const ALERT_RULE_COLUMNS = `id, account_id, project_id, name, metric, operator, threshold, window_duration,
  enabled, state, incident_open, since, last_evaluated_at, current_value, created_at, updated_at`;

/**
 * Adds a rule; null when the account has as many as it may. Run it in a transaction: it holds the account's row, so that
 * two requests cannot both take the last place. Source: AL-2, AL-10.
 */
export async function addAlertRule(
  sql: Sql,
  accountId: string,
  fields: AlertRuleFields,
  nowMs: number,
): Promise<StoredAlertRule | null> {
  await sql.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  const [row] = await sql.query<AlertRuleRow>(
    `INSERT INTO alert_rules (id, account_id, project_id, name, metric, operator, threshold, window_duration, enabled,
                              state, incident_open, since, due_at, created_at, updated_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $12, $12
      WHERE (SELECT count(*) FROM alert_rules WHERE account_id = $2) < $13
     RETURNING ${ALERT_RULE_COLUMNS}`,
    [
      newRandomId('ar'),
      accountId,
      fields.projectId,
      fields.name,
      fields.metric,
      fields.operator,
      fields.threshold,
      fields.window,
      fields.isEnabled,
      INITIAL_STATUS.state,
      INITIAL_STATUS.isIncidentOpen,
      nowMs,
      MAX_ALERT_RULES,
    ],
  );
  return row === undefined ? null : readAlertRuleRow(row);
}

/** Rules of an account by creation time. */
export async function listAlertRules(
  sql: Sql,
  accountId: string,
  filter: AlertRuleFilter = {},
): Promise<readonly StoredAlertRule[]> {
  const rows = await sql.query<AlertRuleRow>(
    `SELECT ${ALERT_RULE_COLUMNS} FROM alert_rules
      WHERE account_id = $1
        AND ($2::text IS NULL OR project_id = $2)
        AND ($3::text IS NULL OR metric = $3)
        AND ($4::boolean IS NULL OR enabled = $4)
        AND ($5::text IS NULL OR state = $5)
      ORDER BY created_at, id`,
    [
      accountId,
      filter.projectId ?? null,
      filter.metric ?? null,
      filter.isEnabled ?? null,
      filter.state ?? null,
    ],
  );
  return rows.map(readAlertRuleRow);
}

/** One rule of an account, or null. Source: AL-4. */
export async function findAlertRule(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<StoredAlertRule | null> {
  const [row] = await sql.query<AlertRuleRow>(
    `SELECT ${ALERT_RULE_COLUMNS} FROM alert_rules WHERE id = $1 AND account_id = $2`,
    [id, accountId],
  );
  return row === undefined ? null : readAlertRuleRow(row);
}

/**
 * Changes the given fields of a rule and resolves with the rule before and after; null: the account has no such rule. A
 * change of anything but the name puts the rule back to `ok` and closes its incident without an event. Run it in a
 * transaction. Source: AL-10.
 */
export async function changeAlertRule(
  sql: Sql,
  accountId: string,
  id: string,
  changes: { readonly [Field in keyof AlertRuleFields]?: AlertRuleFields[Field] | undefined },
  nowMs: number,
): Promise<{ readonly before: StoredAlertRule; readonly after: StoredAlertRule } | null> {
  const [locked] = await sql.query<AlertRuleRow>(
    `SELECT ${ALERT_RULE_COLUMNS} FROM alert_rules WHERE id = $1 AND account_id = $2 FOR UPDATE`,
    [id, accountId],
  );
  if (locked === undefined) return null;
  const before = readAlertRuleRow(locked);
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
  const [row] = await sql.query<AlertRuleRow>(
    `UPDATE alert_rules
        SET name = $2, project_id = $3, metric = $4, operator = $5, threshold = $6, window_duration = $7, enabled = $8,
            updated_at = $9${isNew ? ", state = 'ok', incident_open = false, since = $9, due_at = $9, last_evaluated_at = NULL, current_value = NULL" : ''}
      WHERE id = $1
     RETURNING ${ALERT_RULE_COLUMNS}`,
    [
      id,
      fields.name,
      fields.projectId,
      fields.metric,
      fields.operator,
      fields.threshold,
      fields.window,
      fields.isEnabled,
      nowMs,
    ],
  );
  return row === undefined ? null : { before, after: readAlertRuleRow(row) };
}

/** Removes a rule and resolves with it; null: the account has no such rule. */
export async function removeAlertRule(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<StoredAlertRule | null> {
  const [row] = await sql.query<AlertRuleRow>(
    `DELETE FROM alert_rules WHERE id = $1 AND account_id = $2 RETURNING ${ALERT_RULE_COLUMNS}`,
    [id, accountId],
  );
  return row === undefined ? null : readAlertRuleRow(row);
}

/** A rule from its row. */
export function readAlertRuleRow(row: AlertRuleRow): StoredAlertRule {
  return {
    id: row.id,
    accountId: row.account_id,
    projectId: row.project_id,
    name: row.name,
    metric: row.metric,
    operator: row.operator,
    threshold: row.threshold,
    window: row.window_duration,
    isEnabled: row.enabled,
    status: { state: row.state, isIncidentOpen: row.incident_open },
    sinceMs: row.since,
    lastEvaluatedAtMs: row.last_evaluated_at,
    currentValue: row.current_value,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}

/** Whether anything but the name differs. */
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
