import * as v from 'valibot';
import type { AlertMetric, AlertOperator, AlertState } from '../alert-rules/alert-rule-schemas.ts';
import { moment, openText, orNull, text } from '../schema/fields.ts';
import { fillAbsent, objectOf, type Schema, tolerant } from '../schema/object-of.ts';

/** What an event says about its rule. Source: WD-2. */
export interface WebhookAlert {
  /** Rule id. */
  readonly id: string;
  readonly name: string;
  /** Null: the whole account. */
  readonly project_id: string | null;
  /** A newer platform may send names that this version does not know, here and in the other named values. */
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  readonly threshold_value: number;
  readonly current_value: number | null;
  /** State that was left. */
  readonly previous_state: AlertState | null;
}

/** The body of a delivery. Source: WD-1, WD-2. */
export type WebhookEvent =
  | {
      readonly event_type: 'alerts.triggered';
      readonly alert: WebhookAlert & { readonly triggered_at: string };
    }
  | {
      readonly event_type: 'alerts.resolved';
      readonly alert: WebhookAlert & { readonly resolved_at: string };
    };

const number = v.number('must be a number');
const alertEntries = {
  id: text('Rule id.'),
  name: text('Name of the rule.'),
  project_id: orNull(text('Project; null: the whole account.')),
  metric: openText<AlertMetric>('Metric that is watched.'),
  operator: openText<AlertOperator>('`value operator threshold` is a breach.'),
  threshold_value: v.pipe(number, v.description('Threshold.')),
  current_value: orNull(v.pipe(number, v.description('Value that decided.'))),
  previous_state: orNull(openText<AlertState>('State that was left.')),
};

/** Schema of the body, fields in the order in which they are written. Source: WD-2. */
export const webhookEventSchema: Schema<WebhookEvent> = v.union(
  [
    objectOf('AlertTriggered', 'A rule began to fire.', {
      event_type: v.literal('alerts.triggered'),
      alert: objectOf('TriggeredAlert', 'The alert.', { ...alertEntries, triggered_at: moment('When.') }),
    }),
    objectOf('AlertResolved', 'A rule stopped firing.', {
      event_type: v.literal('alerts.resolved'),
      alert: objectOf('ResolvedAlert', 'The alert.', { ...alertEntries, resolved_at: moment('When.') }),
    }),
  ],
  'must be an event of a known type',
);

const eventReader = tolerant(webhookEventSchema, (raw) => {
  if (typeof raw !== 'object' || raw === null || !('alert' in raw)) return raw;
  const defaults = { project_id: null, current_value: null, previous_state: null };
  return { ...raw, alert: fillAbsent(raw.alert, defaults) };
});

/**
 * The event in the body of a delivery; null when it is of a kind that this version does not know. Verify the
 * delivery first.
 */
export function readWebhookEvent(body: string | Uint8Array): WebhookEvent | null {
  try {
    const result = v.safeParse(
      eventReader,
      JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)),
    );
    return result.success ? result.output : null;
  } catch {
    // Not JSON, so of no kind known here.
    return null;
  }
}
