/**
 * State transitions of a rule. Source: rest.md, 9.1.
 *
 * | From | Outcome | To | Event |
 * |---|---|---|---|
 * | any, incident closed | breach | `alert`, incident open | `alerts.triggered`, previous: the state left |
 * | any, incident open | breach | `alert` | none |
 * | any, incident open | no breach | `ok`, incident closed | `alerts.resolved`, previous: `alert` |
 * | any, incident closed | no breach | `ok` | none |
 * | any | no data | `no_data`, incident as it was | none |
 * | any | failed | `unknown`, incident as it was | none |
 */
import type { AlertOperator, AlertState, WebhookEventType } from '@natter/sdk';

/** State of a rule. `alert` implies an open incident; `ok` a closed one. */
export interface AlertStatus {
  readonly state: AlertState;
  /** Whether an `alerts.triggered` has no `alerts.resolved` yet. */
  readonly isIncidentOpen: boolean;
}

/** Result of an evaluation. Source: AL-7, AL-8, AL-9. */
export type AlertEvaluation =
  | { readonly kind: 'value'; readonly isBreach: boolean }
  | { readonly kind: 'no_data' }
  | { readonly kind: 'failed' };

/** The next state with its webhook event. */
export interface AlertTransition extends AlertStatus {
  readonly event: { readonly type: WebhookEventType; readonly previousState: AlertState } | null;
}

/** The status of a new, changed or disabled rule. Source: AL-10. */
export const INITIAL_STATUS: AlertStatus = { state: 'ok', isIncidentOpen: false };

/** Applies one evaluation. Each `alerts.triggered` is followed by exactly one `alerts.resolved`. Source: 9.1. */
export function applyEvaluation(status: AlertStatus, evaluation: AlertEvaluation): AlertTransition {
  const { state: previousState, isIncidentOpen } = status;
  switch (evaluation.kind) {
    case 'no_data':
      return { state: 'no_data', isIncidentOpen, event: null };
    case 'failed':
      return { state: 'unknown', isIncidentOpen, event: null };
    case 'value':
      if (evaluation.isBreach) {
        const event = isIncidentOpen ? null : { type: 'alerts.triggered' as const, previousState };
        return { state: 'alert', isIncidentOpen: true, event };
      }
      return {
        state: 'ok',
        isIncidentOpen: false,
        event: isIncidentOpen ? { type: 'alerts.resolved', previousState: 'alert' } : null,
      };
  }
}

/** Whether `value operator threshold` holds. Source: AL-7. */
export function isBreach(value: number, operator: AlertOperator, threshold: number): boolean {
  switch (operator) {
    case '>':
      return value > threshold;
    case '<':
      return value < threshold;
    case '>=':
      return value >= threshold;
    case '<=':
      return value <= threshold;
  }
}
