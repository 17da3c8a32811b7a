import * as v from 'valibot';
import type { CallOptions } from '../http/call-options.ts';
import { type ClientCore, read } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { dataListOf } from '../schema/data-list.ts';
import { flag, integer, moment, orNull, text } from '../schema/fields.ts';
import { type Fields, objectOf, type Schema } from '../schema/object-of.ts';
import { readerOf } from '../schema/reader-of.ts';
import { alertMetricSchema, alertOperatorSchema, alertWindowSchema } from './alert-rules.ts';

const alert = {
  alert_rule_id: text('Rule id.'),
  name: text('Name of the rule.'),
  /** Null: the whole account. */
  project_id: orNull(text('Project; null: the whole account.')),
  /** A newer platform may send names that this version does not know, here and in the other named values. */
  metric: alertMetricSchema,
  operator: alertOperatorSchema,
  threshold_value: integer('Threshold.', 0),
  window_duration: alertWindowSchema,
  /** When it began to fire. */
  since: moment('When it began to fire.'),
  last_evaluated_at: orNull(moment('When it was last evaluated.')),
  current_value: orNull(integer('Value at the last evaluation.', 0)),
};

const filters = {
  project_id: v.optional(text('Alerts of this project.')),
  metric: v.optional(alertMetricSchema),
  enabled: v.optional(flag('Alerts of rules that are, or are not, evaluated.')),
};

/** A rule that is firing. Source: section 10. */
export interface ActiveAlert extends Fields<typeof alert> {}

/** Filters of the list. Source: section 10. */
export interface AlertsQuery extends Fields<typeof filters> {}

/** Schema of the filters. */
export const alertsQuerySchema: Schema<AlertsQuery> = objectOf('AlertsQuery', 'Filters.', filters);

/** Schema of an alert. */
export const activeAlertSchema: Schema<ActiveAlert> = objectOf(
  'ActiveAlert',
  'A rule that is firing.',
  alert,
);

const alertListSchema = dataListOf('ActiveAlertList', activeAlertSchema);

/** `GET /v1/alerts`. Source: section 10. */
export const alertsListOperation: Operation = {
  id: 'alertsList',
  family: 'alerts',
  service: 'monitoring',
  method: 'GET',
  path: '/v1/alerts',
  summary: 'Rules that are firing.',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'always',
  pathParameters: {},
  query: alertsQuerySchema,
  success: { status: 200, description: 'The alerts.', schema: alertListSchema },
  errors: [400, 401, 403, 500],
  errorShape: 'M',
};

/** Alerts that are firing. Needs `monitorApiKey`. Source: section 10. */
export interface AlertsClient {
  readonly list: (query?: AlertsQuery, options?: CallOptions) => Promise<readonly ActiveAlert[]>;
}

const listReader = readerOf(alertListSchema);

/** The alerts family's part of the client. */
export function createAlertsClient(core: ClientCore): AlertsClient {
  return {
    list: async (query = {}, options = {}) =>
      (await read(core, alertsListOperation, listReader, { query: { ...query } }, options)).data,
  };
}
