import * as v from 'valibot';
import type { CallOptions } from '../http/call-options.ts';
import { type ClientCore, read, run } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { dataListOf } from '../schema/data-list.ts';
import {
  boundedText,
  flag,
  integer,
  moment,
  oneOf,
  orNull,
  patternText,
  text,
  withDefault,
} from '../schema/fields.ts';
import {
  type AnyFields,
  closedObjectOf,
  type Fields,
  type Leaving,
  objectOf,
  partial,
  type Schema,
} from '../schema/object-of.ts';
import { readerOf } from '../schema/reader-of.ts';

const METRICS = [
  'turn_latency_p50',
  'turn_latency_p95',
  'api_errors',
  'function_errors',
  'call_crashes',
  'call_volume',
] as const;

/** Metrics that a rule can watch. Those of the desk are specific to this platform (AL-11). Source: section 9. */
export type AlertMetric = (typeof METRICS)[number] | 'desk_wait_time' | 'desk_people_available';

/** How the value is compared: `value operator threshold` is a breach. Source: AL-7. */
export type AlertOperator = '>' | '<' | '>=' | '<=';

/** How far back a rule looks. */
export type AlertWindow = '5m' | '10m' | '60m';

/** State of a rule. Source: 9.1. */
export type AlertState = 'ok' | 'alert' | 'no_data' | 'unknown';

/** Schema of a metric. */
export const alertMetricSchema: Schema<AlertMetric> = oneOf(
  'Metric that is watched.',
  [...METRICS, 'desk_wait_time', 'desk_people_available'],
  // The names that every platform has. Source: section 9.
  `must be one of: ${METRICS.join(', ')}`,
);

/** Schema of an operator. */
export const alertOperatorSchema: Schema<AlertOperator> = oneOf('`value operator threshold` is a breach.', [
  '>',
  '<',
  '>=',
  '<=',
]);

/** Schema of a window. */
export const alertWindowSchema: Schema<AlertWindow> = oneOf('How far back it looks.', ['5m', '10m', '60m']);

/** Schema of a state. */
export const alertStateSchema: Schema<AlertState> = oneOf('State.', ['ok', 'alert', 'no_data', 'unknown']);

/** Schema of a rule's id in a path. Source: section 9, AL-1. */
export const alertRuleIdSchema: Schema<string> = patternText(
  'Rule id.',
  /^ar_[A-Za-z0-9]+$/,
  'must be ar_ and letters or digits',
);

/** The fields of a rule that an account sets. */
const settings = {
  /** 1 to 255 characters. */
  name: boundedText('Name.', 1, 255),
  /** Null: the whole account, as when it is left out of the body that creates a rule. */
  project_id: orNull(text('Project; null: the whole account.', 'must be a string or null')),
  /** A newer platform may send names that this version does not know, here and in the other named values. */
  metric: alertMetricSchema,
  operator: alertOperatorSchema,
  /** 0 or more; milliseconds for latencies, seconds for the waiting time at the desk, a count otherwise (AL-6, AL-11). */
  threshold_value: integer('Threshold.', 0, Number.MAX_SAFE_INTEGER, 'must be a non-negative integer'),
  window_duration: alertWindowSchema,
  /** True when it is left out of the body that creates a rule. */
  enabled: flag('Whether it is evaluated.'),
};

const identity = { id: text('Rule id.') };

/** Fields set by the platform. */
const state = {
  /** Null before the first evaluation, as are the next three. */
  current_state: orNull(alertStateSchema),
  since: orNull(moment('When the state began.')),
  last_evaluated_at: orNull(moment('When it was last evaluated.')),
  current_value: orNull(integer('Value at the last evaluation.', 0)),
  created_at: moment('When it was created.'),
  updated_at: moment('When it was last changed.'),
};

const filters = {
  project_id: v.optional(text('Rules of this project.')),
  metric: v.optional(alertMetricSchema),
  enabled: v.optional(flag('Rules that are, or are not, evaluated.')),
  state: v.optional(alertStateSchema),
};

/** Body that creates a rule. Source: section 9. */
export interface AlertRuleCreateBody extends Leaving<Fields<typeof settings>, 'project_id' | 'enabled'> {}

/** Body that changes a rule: only the fields given change. */
export interface AlertRuleUpdateBody extends AnyFields<typeof settings> {}

/** A rule as returned. */
export interface AlertRule extends Fields<typeof identity>, Fields<typeof settings>, Fields<typeof state> {}

/** Filters of the list. Source: section 9. */
export interface AlertRulesQuery extends Fields<typeof filters> {}

/** Schema of the body that creates a rule. */
export const alertRuleCreateBodySchema: Schema<AlertRuleCreateBody> = closedObjectOf(
  'AlertRuleCreateBody',
  'A new rule.',
  {
    ...settings,
    project_id: v.optional(settings.project_id),
    enabled: v.optional(withDefault(settings.enabled, true)),
  },
);

/** Schema of the body that changes a rule. */
export const alertRuleUpdateBodySchema: Schema<AlertRuleUpdateBody> = closedObjectOf(
  'AlertRuleUpdateBody',
  'What to change.',
  partial(settings),
);

/** Schema of the list's filters. */
export const alertRulesQuerySchema: Schema<AlertRulesQuery> = objectOf(
  'AlertRulesQuery',
  'Filters.',
  filters,
);

/** Schema of a rule. */
export const alertRuleSchema: Schema<AlertRule> = objectOf('AlertRule', 'A rule.', {
  ...identity,
  ...settings,
  ...state,
});

const ruleListSchema = dataListOf('AlertRuleList', alertRuleSchema);

const shared = {
  family: 'alertRules',
  service: 'monitoring',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'always',
  errorShape: 'M',
} as const;
const one = { path: '/v1/alert-rules/{rule_id}', pathParameters: { rule_id: alertRuleIdSchema } };
const all = { path: '/v1/alert-rules', pathParameters: {} };

/** `GET /v1/alert-rules`. Source: section 9. */
export const alertRulesListOperation: Operation = {
  ...shared,
  ...all,
  id: 'alertRulesList',
  method: 'GET',
  summary: 'All rules.',
  query: alertRulesQuerySchema,
  success: { status: 200, description: 'The rules.', schema: ruleListSchema },
  errors: [400, 401, 403, 500],
};

/** `POST /v1/alert-rules`. Source: section 9. */
export const alertRuleCreateOperation: Operation = {
  ...shared,
  ...all,
  id: 'alertRuleCreate',
  method: 'POST',
  summary: 'Create a rule; at most 10 per account.',
  repeatability: 'when-refused',
  body: { isRequired: true, schema: alertRuleCreateBodySchema },
  success: { status: 201, description: 'The rule.', schema: alertRuleSchema },
  errors: [400, 401, 403, 409, 422, 500, 502],
};

/** `GET /v1/alert-rules/{rule_id}`. Source: section 9. */
export const alertRuleGetOperation: Operation = {
  ...shared,
  ...one,
  id: 'alertRuleGet',
  method: 'GET',
  summary: 'One rule.',
  success: { status: 200, description: 'The rule.', schema: alertRuleSchema },
  errors: [401, 403, 404, 422, 500],
};

/** `PATCH /v1/alert-rules/{rule_id}`: fields get fixed values, so twice is as once. Source: section 9. */
export const alertRuleUpdateOperation: Operation = {
  ...shared,
  ...one,
  id: 'alertRuleUpdate',
  method: 'PATCH',
  summary: 'Change a rule.',
  body: { isRequired: true, schema: alertRuleUpdateBodySchema },
  success: { status: 200, description: 'The rule.', schema: alertRuleSchema },
  errors: [400, 401, 403, 404, 422, 500, 502],
};

/** `DELETE /v1/alert-rules/{rule_id}`. Source: section 9. */
export const alertRuleDeleteOperation: Operation = {
  ...shared,
  ...one,
  id: 'alertRuleDelete',
  method: 'DELETE',
  summary: 'Delete a rule.',
  success: { status: 204, description: 'The rule is gone.' },
  errors: [401, 403, 404, 422, 500],
};

/** Rules that raise alerts. Needs `monitorApiKey`; the account comes from the key. Source: section 9. */
export interface AlertRulesClient {
  /** All rules, by creation time. */
  readonly list: (query?: AlertRulesQuery, options?: CallOptions) => Promise<readonly AlertRule[]>;
  /** Creates a rule; the eleventh of an account is refused with 409 `RESOURCE_LIMIT_EXCEEDED` (AL-2). */
  readonly create: (body: AlertRuleCreateBody, options?: CallOptions) => Promise<AlertRule>;
  readonly get: (ruleId: string, options?: CallOptions) => Promise<AlertRule>;
  /** Changes the fields given. Anything but `name` puts the rule back to `ok` (AL-10). */
  readonly update: (ruleId: string, body: AlertRuleUpdateBody, options?: CallOptions) => Promise<AlertRule>;
  readonly delete: (ruleId: string, options?: CallOptions) => Promise<void>;
}

const ruleReader = readerOf(alertRuleSchema);
const listReader = readerOf(ruleListSchema);

/** The alert rules family's part of the client. */
export function createAlertRulesClient(core: ClientCore): AlertRulesClient {
  return {
    list: async (query = {}, options = {}) =>
      (await read(core, alertRulesListOperation, listReader, { query: { ...query } }, options)).data,
    create: (body, options = {}) => read(core, alertRuleCreateOperation, ruleReader, { body }, options),
    get: (ruleId, options = {}) =>
      read(core, alertRuleGetOperation, ruleReader, { path: { rule_id: ruleId } }, options),
    update: (ruleId, body, options = {}) =>
      read(core, alertRuleUpdateOperation, ruleReader, { path: { rule_id: ruleId }, body }, options),
    delete: (ruleId, options = {}) =>
      run(core, alertRuleDeleteOperation, { path: { rule_id: ruleId } }, options),
  };
}
