import * as v from 'valibot';
import {
  boundedText,
  decimal,
  flag,
  integer,
  moment,
  oneOf,
  openText,
  orNull,
  patternText,
  text,
  withDefault,
} from '../schema/fields.ts';
import { closedObjectOf, fillAbsent, objectOf, type Schema, tolerant } from '../schema/object-of.ts';

/** What a rule watches. Source: section 9. */
export type AlertMetric =
  | 'turn_latency_p50'
  | 'turn_latency_p95'
  | 'api_errors'
  | 'function_errors'
  | 'call_crashes'
  | 'call_volume';

/** How the value is compared: `value operator threshold` is a breach. Source: AL-7. */
export type AlertOperator = '>' | '<' | '>=' | '<=';

/** How far back a rule looks. */
export type AlertWindow = '5m' | '10m' | '60m';

/** State of a rule. Source: 9.1. */
export type AlertState = 'ok' | 'alert' | 'no_data' | 'unknown';

/** Body that creates a rule. Source: section 9. */
export interface AlertRuleCreateBody {
  /** 1 to 255 characters. */
  readonly name: string;
  /** Null or absent: the whole account. */
  readonly project_id?: string | null | undefined;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  /** 0 or more; milliseconds for latencies, a count otherwise (AL-6). */
  readonly threshold_value: number;
  readonly window_duration: AlertWindow;
  /** True when absent. */
  readonly enabled?: boolean | undefined;
}

/** Body that changes a rule: only the fields given change. */
export type AlertRuleUpdateBody = {
  readonly [Field in keyof AlertRuleCreateBody]?: AlertRuleCreateBody[Field] | undefined;
};

/** A rule as it is returned. */
export interface AlertRule {
  readonly id: string;
  readonly name: string;
  /** Null: the whole account. */
  readonly project_id: string | null;
  /** A newer platform may send names that this version does not know, here and in the other named values. */
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  readonly threshold_value: number;
  readonly window_duration: AlertWindow;
  readonly enabled: boolean;
  /** Null before the first evaluation, as are the next three. */
  readonly current_state: AlertState | null;
  readonly since: string | null;
  readonly last_evaluated_at: string | null;
  readonly current_value: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Filters of the list. Source: section 9. */
export interface AlertRulesQuery {
  readonly project_id?: string | undefined;
  readonly metric?: AlertMetric | undefined;
  readonly enabled?: boolean | undefined;
  readonly state?: AlertState | undefined;
}

const METRICS = [
  'turn_latency_p50',
  'turn_latency_p95',
  'api_errors',
  'function_errors',
  'call_crashes',
  'call_volume',
] as const;

/** Schema of a metric. */
export const alertMetricSchema: Schema<AlertMetric> = oneOf('Metric that is watched.', METRICS);

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

const name = boundedText('Name.', 1, 255);
const projectId = orNull(text('Project; null: the whole account.'), 'must be a string or null');
const threshold = integer('Threshold.', 0, Number.MAX_SAFE_INTEGER, 'must be a non-negative integer');
const enabled = flag('Whether it is evaluated.');

/** Schema of the body that creates a rule. */
export const alertRuleCreateBodySchema: Schema<AlertRuleCreateBody> = closedObjectOf(
  'AlertRuleCreateBody',
  'A new rule.',
  {
    name,
    project_id: v.optional(projectId),
    metric: alertMetricSchema,
    operator: alertOperatorSchema,
    threshold_value: threshold,
    window_duration: alertWindowSchema,
    enabled: v.optional(withDefault(enabled, true)),
  },
);

/** Schema of the body that changes a rule. */
export const alertRuleUpdateBodySchema: Schema<AlertRuleUpdateBody> = closedObjectOf(
  'AlertRuleUpdateBody',
  'What to change.',
  {
    name: v.optional(name),
    project_id: v.optional(projectId),
    metric: v.optional(alertMetricSchema),
    operator: v.optional(alertOperatorSchema),
    threshold_value: v.optional(threshold),
    window_duration: v.optional(alertWindowSchema),
    enabled: v.optional(enabled),
  },
);

/** Schema of the list's filters. */
export const alertRulesQuerySchema: Schema<AlertRulesQuery> = objectOf('AlertRulesQuery', 'Filters.', {
  project_id: v.optional(text('Rules of this project.')),
  metric: v.optional(alertMetricSchema),
  enabled: v.optional(flag('Rules that are, or are not, evaluated.')),
  state: v.optional(alertStateSchema),
});

const ruleEntries = {
  id: text('Rule id.'),
  name: text('Name.'),
  project_id: orNull(text('Project; null: the whole account.')),
  metric: openText<AlertMetric>('Metric that is watched.'),
  operator: openText<AlertOperator>('`value operator threshold` is a breach.'),
  threshold_value: decimal('Threshold.'),
  window_duration: openText<AlertWindow>('How far back it looks.'),
  enabled,
  current_state: orNull(openText<AlertState>('State; null before the first evaluation.')),
  since: orNull(moment('When the state began.')),
  last_evaluated_at: orNull(moment('When it was last evaluated.')),
  current_value: orNull(decimal('Value at the last evaluation.')),
  created_at: moment('When it was created.'),
  updated_at: moment('When it was last changed.'),
};

/** Schema of a rule. */
export const alertRuleSchema: Schema<AlertRule> = objectOf('AlertRule', 'A rule.', {
  ...ruleEntries,
  metric: alertMetricSchema,
  operator: alertOperatorSchema,
  threshold_value: integer('Threshold.', 0),
  window_duration: alertWindowSchema,
  current_state: orNull(alertStateSchema),
  current_value: orNull(integer('Value at the last evaluation.', 0)),
});

const RULE_DEFAULTS = {
  project_id: null,
  current_state: null,
  since: null,
  last_evaluated_at: null,
  current_value: null,
};

/** Reads a rule: nullable fields may be absent, values may have a fraction, names may be ones not known here. */
export const alertRuleReader: Schema<AlertRule> = tolerant(
  objectOf('AnyAlertRule', 'A rule.', ruleEntries),
  (raw) => fillAbsent(raw, RULE_DEFAULTS),
);
