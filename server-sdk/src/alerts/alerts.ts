import * as v from 'valibot';
import {
  type AlertMetric,
  type AlertOperator,
  type AlertWindow,
  alertMetricSchema,
  alertOperatorSchema,
  alertWindowSchema,
} from '../alert-rules/alert-rule-schemas.ts';
import type { CallOptions } from '../http/call-options.ts';
import { type ClientCore, checkQuery } from '../http/client-core.ts';
import { encodeQuery } from '../http/encode-query.ts';
import type { Operation } from '../http/operation.ts';
import { readJson } from '../http/read-answer.ts';
import { dataListOf } from '../schema/data-list.ts';
import { decimal, flag, integer, moment, openText, orNull, text } from '../schema/fields.ts';
import { fillAbsent, objectOf, type Schema, tolerant } from '../schema/object-of.ts';

/** A rule that is firing. Source: section 10. */
export interface ActiveAlert {
  readonly alert_rule_id: string;
  readonly name: string;
  /** Null: the whole account. */
  readonly project_id: string | null;
  /** A newer platform may send names that this version does not know, here and in the other named values. */
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  readonly threshold_value: number;
  readonly window_duration: AlertWindow;
  /** When it began to fire. */
  readonly since: string;
  readonly last_evaluated_at: string | null;
  readonly current_value: number | null;
}

/** Filters of the list. Source: section 10. */
export interface AlertsQuery {
  readonly project_id?: string | undefined;
  readonly metric?: AlertMetric | undefined;
  readonly enabled?: boolean | undefined;
}

/** Schema of the filters. */
export const alertsQuerySchema: Schema<AlertsQuery> = objectOf('AlertsQuery', 'Filters.', {
  project_id: v.optional(text('Alerts of this project.')),
  metric: v.optional(alertMetricSchema),
  enabled: v.optional(flag('Alerts of rules that are, or are not, evaluated.')),
});

const alertEntries = {
  alert_rule_id: text('Rule id.'),
  name: text('Name of the rule.'),
  project_id: orNull(text('Project; null: the whole account.')),
  metric: openText<AlertMetric>('Metric that is watched.'),
  operator: openText<AlertOperator>('`value operator threshold` is a breach.'),
  threshold_value: decimal('Threshold.'),
  window_duration: openText<AlertWindow>('How far back the rule looks.'),
  since: moment('When it began to fire.'),
  last_evaluated_at: orNull(moment('When it was last evaluated.')),
  current_value: orNull(decimal('Value at the last evaluation.')),
};

/** Schema of an alert. */
export const activeAlertSchema: Schema<ActiveAlert> = objectOf('ActiveAlert', 'A rule that is firing.', {
  ...alertEntries,
  metric: alertMetricSchema,
  operator: alertOperatorSchema,
  threshold_value: integer('Threshold.', 0),
  window_duration: alertWindowSchema,
  current_value: orNull(integer('Value at the last evaluation.', 0)),
});

// Nullable fields may be absent, values may have a fraction, names may be ones not known here.
const listReader = dataListOf(
  'AnyAlertList',
  tolerant(objectOf('AnyAlert', 'A rule that is firing.', alertEntries), (raw) =>
    fillAbsent(raw, { project_id: null, last_evaluated_at: null, current_value: null }),
  ),
);

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
  success: {
    status: 200,
    description: 'The alerts.',
    schema: dataListOf('ActiveAlertList', activeAlertSchema),
  },
  errors: [400, 401, 403, 500],
  errorShape: 'M',
};

/** Alerts that are firing. Needs `monitorApiKey`. Source: section 10. */
export interface AlertsClient {
  readonly list: (query?: AlertsQuery, options?: CallOptions) => Promise<readonly ActiveAlert[]>;
}

/** The alerts family's part of the client. */
export function createAlertsClient(core: ClientCore): AlertsClient {
  return {
    list: async (query = {}, options = {}) => {
      const pairs = checkQuery(alertsQuerySchema, encodeQuery({ ...query }));
      const call = { operation: alertsListOperation, pathValues: {}, query: pairs, options };
      return (await readJson(core.transport, call, listReader)).data;
    },
  };
}
