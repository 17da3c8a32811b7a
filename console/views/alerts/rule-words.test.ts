import { expect, it } from 'vitest';
import { describeRule, isUnchecked } from './rule-words.ts';

it('a rule in words names figure, threshold with its unit, and span', () => {
  const rule = { metric: 'turn_latency_p95', operator: '>', threshold_value: 3_000, window_duration: '5m' };
  expect(describeRule(rule as Parameters<typeof describeRule>[0])).toBe(
    `Answer latency, 95th percentile > ${(3_000).toLocaleString()} ms in the last 5 minutes`,
  );
});

it('a rule on the desk names seconds, and people as a count', () => {
  const rule = { operator: '>', threshold_value: 120, window_duration: '5m' };
  const write = (fields: object): string =>
    describeRule({ ...rule, ...fields } as Parameters<typeof describeRule>[0]);
  expect(write({ metric: 'desk_wait_time' })).toBe('Longest wait at the desk > 120 s in the last 5 minutes');
  expect(write({ metric: 'desk_people_available', operator: '<', threshold_value: 1 })).toBe(
    'People available at the desk < 1 in the last 5 minutes',
  );
});

it('a rule has no state before its first check', () => {
  expect(isUnchecked({ since: null })).toBe(true);
  expect(isUnchecked({ since: '2026-07-13T08:00:00Z' })).toBe(false);
});
