import type { ActiveAlert, AlertMetric, AlertOperator, AlertRule, AlertWindow } from '@natter/sdk';
import type { AlertStatus } from './transition.ts';

/** Fields of a rule that callers set. */
export type AlertRuleFields = {
  readonly name: string;
  /** `PROJECT-…`; null: the whole account. */
  readonly projectId: string | null;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  readonly threshold: number;
  readonly window: AlertWindow;
  readonly isEnabled: boolean;
};

/** A stored rule. */
export type StoredAlertRule = AlertRuleFields & {
  readonly id: string;
  readonly accountId: string;
  readonly status: AlertStatus;
  /** Time of the last state change. */
  readonly sinceMs: number;
  /** Null: not evaluated since it was created, changed or disabled. */
  readonly lastEvaluatedAtMs: number | null;
  readonly currentValue: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** Formats a time for this route group: UTC, whole seconds. Source: WD-2. */
export function writeTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}

const writeTimeOrNull = (atMs: number | null): string | null => (atMs === null ? null : writeTime(atMs));

/** Formats a rule for a response. Source: section 9. */
export function writeAlertRule(rule: StoredAlertRule): AlertRule {
  return {
    id: rule.id,
    name: rule.name,
    project_id: rule.projectId,
    metric: rule.metric,
    operator: rule.operator,
    threshold_value: rule.threshold,
    window_duration: rule.window,
    enabled: rule.isEnabled,
    current_state: rule.status.state,
    since: rule.lastEvaluatedAtMs === null ? null : writeTime(rule.sinceMs),
    last_evaluated_at: writeTimeOrNull(rule.lastEvaluatedAtMs),
    current_value: rule.currentValue,
    created_at: writeTime(rule.createdAtMs),
    updated_at: writeTime(rule.updatedAtMs),
  };
}

/** Formats a rule in state `alert` for the list of alerts. Source: section 10. */
export function writeActiveAlert(rule: StoredAlertRule): ActiveAlert {
  return {
    alert_rule_id: rule.id,
    name: rule.name,
    project_id: rule.projectId,
    metric: rule.metric,
    operator: rule.operator,
    threshold_value: rule.threshold,
    window_duration: rule.window,
    since: writeTime(rule.sinceMs),
    last_evaluated_at: writeTimeOrNull(rule.lastEvaluatedAtMs),
    current_value: rule.currentValue,
  };
}
