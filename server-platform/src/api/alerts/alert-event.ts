import { randomUUID } from 'node:crypto';
import type { WebhookEvent, WebhookEventType } from '@natter/sdk';
import { type StoredAlertRule, writeTime } from './alert-rule.ts';
import type { AlertTransition } from './transition.ts';

/** A rule's event as bytes to deliver: built once, the same for every endpoint and attempt. Source: WD-1. */
export type AlertEvent = { readonly type: WebhookEventType; readonly body: string };

/** The rule's fields in an event. */
export type AlertedRule = Pick<
  StoredAlertRule,
  'id' | 'name' | 'projectId' | 'metric' | 'operator' | 'threshold'
>;

/** Builds the event of a transition. The fields are in the contract's order. Source: WD-2. */
export function writeAlertEvent(
  rule: AlertedRule,
  { type, previousState }: NonNullable<AlertTransition['event']>,
  value: number | null,
  atMs: number,
): AlertEvent {
  const alert = {
    id: rule.id,
    name: rule.name,
    project_id: rule.projectId,
    metric: rule.metric,
    operator: rule.operator,
    threshold_value: rule.threshold,
    current_value: value,
    previous_state: previousState,
  };
  const at = writeTime(atMs);
  // Signed with the body. The id in the header identifies the delivery to one endpoint, and is not signed.
  const event_id = randomUUID();
  const event: WebhookEvent =
    type === 'alerts.triggered'
      ? { event_type: type, alert: { ...alert, triggered_at: at }, event_id }
      : { event_type: type, alert: { ...alert, resolved_at: at }, event_id };
  return { type, body: JSON.stringify(event) };
}

/** Builds an event of a made-up rule, to test an endpoint. */
export function writeTestEvent(type: WebhookEventType, atMs: number): AlertEvent {
  const rule = { id: 'ar_test', name: 'Test from the console', projectId: null } as const;
  const condition = { metric: 'turn_latency_p95', operator: '>', threshold: 3_000 } as const;
  const isTriggered = type === 'alerts.triggered';
  const previousState = isTriggered ? 'ok' : 'alert';
  return writeAlertEvent({ ...rule, ...condition }, { type, previousState }, isTriggered ? 4_120 : 980, atMs);
}
