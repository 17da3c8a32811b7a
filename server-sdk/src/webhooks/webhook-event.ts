import * as v from 'valibot';
import { alertMetricSchema, alertOperatorSchema, alertStateSchema } from '../resources/alert-rules.ts';
import { decimal, moment, orNull, text } from '../schema/fields.ts';
import { type Fields, objectOf, type Schema } from '../schema/object-of.ts';
import { readerOf } from '../schema/reader-of.ts';

const alert = {
  /** Rule id. */
  id: text('Rule id.'),
  name: text('Name of the rule.'),
  /** Null: the whole account. */
  project_id: orNull(text('Project; null: the whole account.')),
  /** A newer platform may send names that this version does not know, here and in the other named values. */
  metric: alertMetricSchema,
  operator: alertOperatorSchema,
  threshold_value: decimal('Threshold.'),
  current_value: orNull(decimal('Value that decided.')),
  /** State that was left. */
  previous_state: orNull(v.pipe(alertStateSchema, v.description('State that was left.'))),
};

/** The rule in an event. Source: WD-2. */
export interface WebhookAlert extends Fields<typeof alert> {}

/** The body of a delivery. Source: WD-1, WD-2. */
export type WebhookEvent = {
  /** Id of the event, equal at every endpoint and in every attempt. Absent if the platform sends none. */
  readonly event_id?: string | undefined;
} & (
  | {
      readonly event_type: 'alerts.triggered';
      readonly alert: WebhookAlert & { readonly triggered_at: string };
    }
  | {
      readonly event_type: 'alerts.resolved';
      readonly alert: WebhookAlert & { readonly resolved_at: string };
    }
);

const eventId = v.optional(
  text('Id of the event. It is signed, so use it to recognise repeated deliveries.'),
);

/** Schema of the body, fields in the order in which they are written. Source: WD-2. */
export const webhookEventSchema: Schema<WebhookEvent> = v.union(
  [
    objectOf('AlertTriggered', 'A rule began to fire.', {
      event_type: v.literal('alerts.triggered'),
      alert: objectOf('TriggeredAlert', 'The alert.', { ...alert, triggered_at: moment('When.') }),
      event_id: eventId,
    }),
    objectOf('AlertResolved', 'A rule stopped firing.', {
      event_type: v.literal('alerts.resolved'),
      alert: objectOf('ResolvedAlert', 'The alert.', { ...alert, resolved_at: moment('When.') }),
      event_id: eventId,
    }),
  ],
  'must be an event of a known type',
);

const eventReader = readerOf(webhookEventSchema);

/**
 * The event in the body of a delivery; null when it is of a kind that this version does not know. Verify the
 * delivery first.
 */
export function readWebhookEvent(body: string | Uint8Array): WebhookEvent | null {
  const result = v.safeParse(eventReader, parseBody(body));
  return result.success ? result.output : null;
}

/** The id in the signed body, of an event of any kind; null when there is none. */
export function readSignedEventId(body: string | Uint8Array): string | null {
  const parsed = parseBody(body);
  if (typeof parsed !== 'object' || parsed === null || !('event_id' in parsed)) return null;
  return typeof parsed.event_id === 'string' && parsed.event_id !== '' ? parsed.event_id : null;
}

function parseBody(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    // Not JSON, so of no kind known here.
    return null;
  }
}
