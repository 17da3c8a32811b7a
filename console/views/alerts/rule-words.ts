import type { AlertRule } from './alert-types.ts';

/** Names of the metrics that a rule can watch, as shown, by their API name. */
export const METRICS = [
  ['turn_latency_p95', 'Answer latency, 95th percentile'],
  ['turn_latency_p50', 'Answer latency, median'],
  ['api_errors', 'Model API errors'],
  ['function_errors', 'Function errors'],
  ['call_crashes', 'Crashed conversations'],
  ['call_volume', 'Conversations'],
  ['desk_wait_time', 'Longest wait at the desk'],
  ['desk_people_available', 'People available at the desk'],
] as const;

export const OPERATORS = [
  ['>', '>'],
  ['>=', '≥'],
  ['<', '<'],
  ['<=', '≤'],
] as const;

export const WINDOWS = [
  ['5m', 'the last 5 minutes'],
  ['10m', 'the last 10 minutes'],
  ['60m', 'the last hour'],
] as const;

const labelOf = (options: readonly (readonly [string, string])[], value: string): string =>
  options.find(([name]) => name === value)?.[1] ?? value;

/** A value with its unit. */
export function writeValue(metric: string, value: number | null): string {
  if (value === null) return '–';
  const number = value.toLocaleString();
  if (metric.startsWith('turn_latency')) return `${number} ms`;
  return metric === 'desk_wait_time' ? `${number} s` : number;
}

/** A rule in words, such as "Conversations < 1 in the last hour". */
export function describeRule(
  rule: Pick<AlertRule, 'metric' | 'operator' | 'threshold_value' | 'window_duration'>,
): string {
  const { metric, operator, threshold_value: threshold, window_duration: window } = rule;
  return `${labelOf(METRICS, metric)} ${labelOf(OPERATORS, operator)} ${writeValue(metric, threshold)} in ${labelOf(WINDOWS, window)}`;
}

/** Whether a rule was not evaluated since it was created or changed, so that it has no state yet. */
export function isUnchecked({ since }: Pick<AlertRule, 'since'>): boolean {
  return since === null;
}
