import { alertRuleSchema, webhookEndpointSchema, webhookEventTypeSchema } from '@natter/sdk';
import * as v from 'valibot';
import { RECEIVER_ANSWERS } from '../../api/webhooks/index.ts';

/** Rules with the states that they have entered. */
export const alertRuleListView = v.object({
  /** The range of `states`. */
  from_ms: v.number(),
  to_ms: v.number(),
  rules: v.array(alertRuleSchema),
  /** The oldest first. `changed`: the rule was changed, and not evaluated since. */
  states: v.array(
    v.object({
      rule_id: v.string(),
      state: v.picklist(['ok', 'alert', 'no_data', 'unknown', 'changed']),
      value: v.nullable(v.number()),
      at_ms: v.number(),
    }),
  ),
  /** Incidents that were closed without `alerts.resolved`: their rule was changed or deleted. */
  unresolved: v.array(v.object({ rule_id: v.string(), name: v.string(), closed_at: v.string() })),
});

/** The endpoints of the account. */
export const endpointListView = v.object({ endpoints: v.array(webhookEndpointSchema) });

const DELIVERY_STATES = ['pending', 'delivered', 'dead', 'dropped'] as const;
const state = v.picklist(DELIVERY_STATES, `must be one of: ${DELIVERY_STATES.join(', ')}`);

/** Which deliveries are listed. */
export const deliveriesQuery = v.object({
  endpoint: v.optional(v.string()),
  state: v.optional(state),
  cursor: v.optional(v.string()),
});

const deliveryRow = {
  id: v.string(),
  endpoint_id: v.string(),
  endpoint_name: v.string(),
  event_type: v.string(),
  state: v.picklist(DELIVERY_STATES),
  /** Attempts that came to an end, since it was last sent. */
  attempts: v.number(),
  last_outcome: v.nullable(v.string()),
  created_at: v.string(),
  /** When the next attempt is due; null: none is. */
  due_at: v.nullable(v.string()),
};

/** A page of deliveries. */
export const deliveryListView = v.object({
  deliveries: v.array(v.pipe(v.object(deliveryRow), v.metadata({ name: 'ConsoleDelivery' }))),
  /** Of the next page; null at the end. */
  cursor: v.nullable(v.string()),
});

/** One delivery and the body that was sent. */
export const deliveryView = v.object({
  ...deliveryRow,
  body: v.string(),
  history: v.array(v.object({ at: v.string(), duration_ms: v.number(), outcome: v.string() })),
});

/** Which event a test is, and what the receiver answers. */
export const testSchema = v.object({
  event_type: webhookEventTypeSchema,
});
export const receiverSchema = v.object({
  answers: v.picklist(RECEIVER_ANSWERS, `must be one of: ${RECEIVER_ANSWERS.join(', ')}`),
});

/** The built-in receiver, and the requests it got. */
export const receiverView = v.object({
  /** Null: there is none. */
  receiver: v.nullable(
    v.object({
      endpoint_id: v.string(),
      url: v.string(),
      expires_at: v.string(),
      enabled: v.boolean(),
      receipts: v.array(
        v.object({
          id: v.number(),
          at: v.string(),
          headers: v.record(v.string(), v.string()),
          body: v.string(),
          /** `valid`, or why the signature does not hold. */
          verdict: v.picklist(['valid', 'timestamp', 'stale', 'signature']),
          status: v.number(),
        }),
      ),
    }),
  ),
});
