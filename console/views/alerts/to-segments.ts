import type { AlertRule, StateChange } from './alert-types.ts';

/** A time that a rule was in a state. */
export interface Segment {
  readonly state: StateChange['state'];
  readonly fromMs: number;
  readonly toMs: number;
  readonly value: number | null;
}

/** The segments of a range by the states of a rule, without gaps from the first known state on. */
export function toSegments(
  rule: Pick<AlertRule, 'id' | 'current_state' | 'since' | 'current_value' | 'enabled'>,
  states: readonly StateChange[],
  fromMs: number,
  toMs: number,
): readonly Segment[] {
  const own = states.filter(({ rule_id: id }) => id === rule.id);
  const changes =
    own.length === 0 && rule.current_state !== null && rule.since !== null
      ? [{ state: rule.current_state, value: rule.current_value, at_ms: Date.parse(rule.since) }]
      : own;
  return changes
    .map(({ state, value, at_ms: at }, index) => ({
      ...{ state, value },
      fromMs: Math.max(at, fromMs),
      toMs: Math.min(changes[index + 1]?.at_ms ?? toMs, toMs),
    }))
    .filter((segment) => segment.toMs > segment.fromMs);
}

/** The segments in words: how often the rule fired, and for how long. */
export function describeSegments(segments: readonly Segment[]): string {
  const alerts = segments.filter(({ state }) => state === 'alert');
  if (segments.length === 0) return 'Not evaluated in this range.';
  if (alerts.length === 0) return 'It did not fire.';
  const minutes = Math.max(
    1,
    Math.round(alerts.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 60_000),
  );
  return `It fired ${alerts.length === 1 ? 'once' : `${alerts.length} times`}, for ${minutes.toLocaleString()} min in all.`;
}
