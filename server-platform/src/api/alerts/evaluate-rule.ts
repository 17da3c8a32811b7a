import { and, eq, sql as fragment, lte, notInArray } from 'drizzle-orm';
import { alertRules, type Database, queryBuilder, type Sql } from '../../db/index.ts';
import { type AlertEvent, writeAlertEvent } from './alert-event.ts';
import type { StoredAlertRule } from './alert-rule.ts';
import { readAlertRuleRow } from './alert-rules.ts';
import { noteAlertState } from './alert-states.ts';
import { type MetricReader, scopeOf } from './read-metric.ts';
import { applyEvaluation, isBreach } from './transition.ts';
import { removeUnresolvedAlert } from './unresolved-alerts.ts';

/** Options of an evaluation. */
export interface EvaluationOptions {
  readonly database: Database;
  readonly readMetric: MetricReader;
  /** Accounts to skip in this round. */
  readonly skippedAccounts: readonly string[];
  readonly nowMs: number;
  /** When the rule is due again. */
  readonly dueAgainMs: number;
  /** Stores an event's deliveries, in the transaction that stores the reported state. */
  readonly emit: (sql: Sql, accountId: string, event: AlertEvent) => Promise<void>;
  /** The metric could not be read, and the rule is now `unknown`. Source: AL-9. */
  readonly onMetricFailure: (error: unknown) => void;
  /** The rule could not be read, or its evaluation not stored, and it is now `unknown`. */
  readonly onRuleFailure: (error: unknown) => void;
}

/** A rule locked by an evaluation. */
interface Claim {
  readonly ruleId: string;
  readonly accountId: string;
}

/**
 * Evaluates one due rule and returns its account's id, or null when no rule was due. Locks the rule's row, so that any
 * number of nodes may do this at once. State, value and the deliveries of an event are stored together or not at all.
 *
 * A rule whose evaluation fails becomes `unknown` and is due again like any other, so that it does not block other
 * rules (AL-9). Fails when not even that can be stored.
 */
export async function evaluateDueRule(options: EvaluationOptions): Promise<string | null> {
  const claimed: { claim?: Claim } = {};
  try {
    return await evaluateClaimed(options, claimed);
  } catch (error) {
    const { claim } = claimed;
    if (claim === undefined) throw error;
    await putOff(options, claim.ruleId);
    options.onRuleFailure(error);
    return claim.accountId;
  }
}

async function evaluateClaimed(
  options: EvaluationOptions,
  claimed: { claim?: Claim },
): Promise<string | null> {
  const { database, nowMs, dueAgainMs, emit, skippedAccounts } = options;
  return await database.tx(async (sql) => {
    // Only the id first, because an unreadable row must be postponed too.
    const build = queryBuilder(sql);
    const [due] = await build
      .select({ id: alertRules.id, accountId: alertRules.accountId })
      .from(alertRules)
      .where(
        and(
          alertRules.isEnabled,
          lte(alertRules.dueAt, nowMs),
          notInArray(alertRules.accountId, [...skippedAccounts]),
        ),
      )
      .orderBy(alertRules.dueAt, alertRules.id)
      .limit(1)
      .for('update', { skipLocked: true });
    if (due === undefined) return null;
    claimed.claim = { ruleId: due.id, accountId: due.accountId };
    const [row] = await build.select().from(alertRules).where(eq(alertRules.id, due.id));
    // The row is locked above, so no other transaction has removed it.
    if (row === undefined) return due.accountId;
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
    if (event?.type === 'alerts.resolved') await removeUnresolvedAlert(sql, rule.id);
    if (event !== null && value !== null) {
      await emit(sql, rule.accountId, writeAlertEvent(rule, event, value, nowMs));
    }
    return due.accountId;
  });
}

/** Only if the rule is still due, because another node may have evaluated it since. */
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
  rule: StoredAlertRule,
  { nowMs, readMetric, onMetricFailure }: EvaluationOptions,
): Promise<Reading> {
  try {
    // In a savepoint, because a failed statement would otherwise abort the whole transaction.
    const value = await sql.tx((inner) => readMetric(inner, rule.metric, scopeOf(rule, nowMs)));
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
