import type { Database, Sql } from '../db/index.ts';
import { type AlertEvent, writeAlertEvent } from './alert-event.ts';
import type { StoredAlertRule } from './alert-rule.ts';
import { ALERT_RULE_COLUMNS, type AlertRuleRow, readAlertRuleRow } from './alert-rules.ts';
import { type MetricReader, WINDOW_MS } from './read-metric.ts';
import { applyEvaluation, isBreach } from './transition.ts';
import { dropUnresolvedAlert } from './unresolved-alerts.ts';

/** What an evaluation needs. */
export interface EvaluationOptions {
  readonly database: Database;
  readonly readMetric: MetricReader;
  readonly nowMs: number;
  /** When the rule is to be evaluated again. */
  readonly dueAgainMs: number;
  /** Stores an event's deliveries, in the transaction that stores the state it tells of. */
  readonly emit: (sql: Sql, accountId: string, event: AlertEvent) => Promise<void>;
  /** The metric could not be read; the rule is `unknown` now. Source: AL-9. */
  readonly onMetricFailure: (error: unknown) => void;
  /** The rule could not be read or its evaluation not stored; it is `unknown` now. */
  readonly onRuleFailure: (error: unknown) => void;
}

/**
 * Evaluates one rule that is due, and tells whether there was one. Each rule is claimed by locking its row, so any
 * number of nodes may do this at once. State, value and the deliveries of an event are stored together or not at all.
 *
 * A rule whose evaluation fails is `unknown` and due again like every other one, so that it holds up no other rule
 * (AL-9). Fails when not even that can be stored.
 */
export async function evaluateDueRule(options: EvaluationOptions): Promise<boolean> {
  const claimed: { ruleId?: string } = {};
  try {
    return await evaluateClaimed(options, claimed);
  } catch (error) {
    const { ruleId } = claimed;
    if (ruleId === undefined) throw error;
    await putOff(options, ruleId);
    options.onRuleFailure(error);
    return true;
  }
}

async function evaluateClaimed(options: EvaluationOptions, claimed: { ruleId?: string }): Promise<boolean> {
  const { database, nowMs, dueAgainMs, emit } = options;
  return await database.tx(async (sql) => {
    // The id alone first: a row that cannot be read has to be put off all the same.
    const [due] = await sql.query<{ id: string }>(
      `SELECT id FROM alert_rules WHERE enabled AND due_at <= $1
        ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [nowMs],
    );
    if (due === undefined) return false;
    claimed.ruleId = due.id;
    const [row] = await sql.query<AlertRuleRow>(
      `SELECT ${ALERT_RULE_COLUMNS} FROM alert_rules WHERE id = $1`,
      [due.id],
    );
    // The row is locked above, so no other transaction has removed it.
    if (row === undefined) return true;
    const rule = readAlertRuleRow(row);
    const reading = await measure(sql, rule, options);
    const { state, isIncidentOpen, event } = applyEvaluation(rule.status, judge(rule, reading));
    const value = reading.kind === 'value' ? reading.value : null;
    await sql.query(
      `UPDATE alert_rules
          SET state = $2, incident_open = $3, since = $4, last_evaluated_at = $5, current_value = $6, due_at = $7
        WHERE id = $1`,
      [
        rule.id,
        state,
        isIncidentOpen,
        state === rule.status.state ? rule.sinceMs : nowMs,
        nowMs,
        value,
        dueAgainMs,
      ],
    );
    if (event?.type === 'alerts.resolved') await dropUnresolvedAlert(sql, rule.id);
    if (event !== null && value !== null) {
      await emit(sql, rule.accountId, writeAlertEvent(rule, event, value, nowMs));
    }
    return true;
  });
}

/** Only while the rule is still due: another node may have evaluated it since. */
async function putOff({ database, nowMs, dueAgainMs }: EvaluationOptions, ruleId: string): Promise<void> {
  await database.query(
    `UPDATE alert_rules
        SET state = 'unknown', since = CASE WHEN state = 'unknown' THEN since ELSE $2 END, last_evaluated_at = $2,
            current_value = NULL, due_at = $3
      WHERE id = $1 AND due_at <= $2`,
    [ruleId, nowMs, dueAgainMs],
  );
}

type Reading =
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'no_data' }
  | { readonly kind: 'failed' };

async function measure(
  sql: Sql,
  { metric, accountId, projectId, window }: StoredAlertRule,
  { nowMs, readMetric, onMetricFailure }: EvaluationOptions,
): Promise<Reading> {
  const scope = { accountId, projectId, fromMs: nowMs - WINDOW_MS[window], toMs: nowMs };
  try {
    // In a savepoint: a statement that fails would otherwise take the whole transaction with it.
    const value = await sql.tx((inner) => readMetric(inner, metric, scope));
    return value === null ? { kind: 'no_data' } : { kind: 'value', value };
  } catch (error) {
    onMetricFailure(error);
    return { kind: 'failed' };
  }
}

function judge(rule: StoredAlertRule, reading: Reading): Parameters<typeof applyEvaluation>[1] {
  if (reading.kind !== 'value') return reading;
  return { kind: 'value', isBreach: isBreach(reading.value, rule.operator, rule.threshold) };
}
