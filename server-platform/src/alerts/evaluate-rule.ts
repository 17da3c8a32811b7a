import { and, eq, sql as fragment, lte } from 'drizzle-orm';
import { alertRules, type Database, queryBuilder, type Sql } from '../db/index.ts';
import { type AlertEvent, writeAlertEvent } from './alert-event.ts';
import type { StoredAlertRule } from './alert-rule.ts';
import { readAlertRuleRow } from './alert-rules.ts';
import { noteAlertState } from './alert-states.ts';
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
    const build = queryBuilder(sql);
    const [due] = await build
      .select({ id: alertRules.id })
      .from(alertRules)
      .where(and(alertRules.isEnabled, lte(alertRules.dueAt, nowMs)))
      .orderBy(alertRules.dueAt, alertRules.id)
      .limit(1)
      .for('update', { skipLocked: true });
    if (due === undefined) return false;
    claimed.ruleId = due.id;
    const [row] = await build.select().from(alertRules).where(eq(alertRules.id, due.id));
    // The row is locked above, so no other transaction has removed it.
    if (row === undefined) return true;
    const rule = readAlertRuleRow(row);
    const reading = await measure(sql, rule, options);
    const { state, isIncidentOpen, event } = applyEvaluation(rule.status, judge(rule, reading));
    const value = reading.kind === 'value' ? reading.value : null;
    await build
      .update(alertRules)
      .set({
        state,
        isIncidentOpen,
        since: state === rule.status.state ? rule.sinceMs : nowMs,
        lastEvaluatedAt: nowMs,
        currentValue: value,
        dueAt: dueAgainMs,
      })
      .where(eq(alertRules.id, rule.id));
    if (state !== rule.status.state || rule.lastEvaluatedAtMs === null)
      await noteAlertState(sql, { ruleId: rule.id, state, value, atMs: nowMs });
    if (event?.type === 'alerts.resolved') await dropUnresolvedAlert(sql, rule.id);
    if (event !== null && value !== null) {
      await emit(sql, rule.accountId, writeAlertEvent(rule, event, value, nowMs));
    }
    return true;
  });
}

/** Only while the rule is still due: another node may have evaluated it since. */
async function putOff({ database, nowMs, dueAgainMs }: EvaluationOptions, ruleId: string): Promise<void> {
  const { state, since } = alertRules;
  await database.tx(async (sql) => {
    const [row] = await queryBuilder(sql)
      .update(alertRules)
      .set({
        state: 'unknown',
        since: fragment`CASE WHEN ${state} = 'unknown' THEN ${since} ELSE ${nowMs}::bigint END`,
        lastEvaluatedAt: nowMs,
        currentValue: null,
        dueAt: dueAgainMs,
      })
      .where(and(eq(alertRules.id, ruleId), lte(alertRules.dueAt, nowMs)))
      .returning({ since });
    if (row?.since === nowMs)
      await noteAlertState(sql, { ruleId, state: 'unknown', value: null, atMs: nowMs });
  });
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
