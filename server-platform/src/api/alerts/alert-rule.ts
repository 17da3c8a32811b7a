import type { ActiveAlert, AlertMetric, AlertOperator, AlertRule, AlertWindow } from '@natter/sdk';
import type { AlertStatus } from './transition.ts';

/** What a rule says; everything else about it is the platform's. */
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

/** A rule as it is stored. */
export type StoredAlertRule = AlertRuleFields & {
  readonly id: string;
  readonly accountId: string;
  readonly status: AlertStatus;
  /** Time of the last change of state. */
  readonly sinceMs: number;
  /** Null: not evaluated since it was made, changed or disabled. */
  readonly lastEvaluatedAtMs: number | null;
  readonly currentValue: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** A time as this family writes it: UTC, whole seconds. Source: WD-2. */
export function writeTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}

const writeTimeOrNull = (atMs: number | null): string | null => (atMs === null ? null : writeTime(atMs));

/** A rule as it is returned. Source: section 9. */
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

/** A rule in state `alert`, as the list of alerts shows it. Source: section 10. */
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
