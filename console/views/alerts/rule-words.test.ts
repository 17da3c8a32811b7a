import { expect, it } from 'vitest';
import { describeRule, isUnchecked } from './rule-words.ts';

it('a rule in words names figure, threshold with its unit, and span', () => {
  const rule = { metric: 'turn_latency_p95', operator: '>', threshold_value: 3_000, window_duration: '5m' };
  expect(describeRule(rule as Parameters<typeof describeRule>[0])).toBe(
    `Answer latency, 95th percentile > ${(3_000).toLocaleString()} ms in the last 5 minutes`,
  );
});

it('a rule has no state before its first check', () => {
  expect(isUnchecked({ since: null })).toBe(true);
  expect(isUnchecked({ since: '2026-07-13T08:00:00Z' })).toBe(false);
});
