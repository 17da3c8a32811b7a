import { describe, expect, it } from 'vitest';
import { describeSegments, toSegments } from './to-segments.ts';

const MINUTE = 60_000;
const rule = {
  ...{ id: 'ar_1', current_state: 'ok' as const, current_value: 3, enabled: true },
  since: new Date(50 * MINUTE).toISOString(),
};
const change = (state: 'ok' | 'alert' | 'changed', minute: number, id = 'ar_1') => ({
  ...{ rule_id: id, state, value: null, at_ms: minute * MINUTE },
});

describe('the states of a rule in a range', () => {
  it('the segments of a range begin with the state at its start, and end now', () => {
    const states = [change('ok', 5), change('alert', 20), change('alert', 25, 'ar_2'), change('ok', 30)];
    const segments = toSegments(rule, states, 10 * MINUTE, 60 * MINUTE);
    expect(segments.map(({ state, fromMs, toMs }) => [state, fromMs / MINUTE, toMs / MINUTE])).toEqual([
      ['ok', 10, 20],
      ['alert', 20, 30],
      ['ok', 30, 60],
    ]);
    expect(describeSegments(segments)).toBe('It fired once, for 10 min in all.');
  });

  it('a rule without recorded changes has only its present state in a range', () => {
    expect(toSegments(rule, [], 10 * MINUTE, 60 * MINUTE)).toMatchObject([
      { state: 'ok', fromMs: 50 * MINUTE, toMs: 60 * MINUTE },
    ]);
    expect(toSegments({ ...rule, current_state: null, since: null }, [], 0, MINUTE)).toEqual([]);
  });

  it('a rule that ended before a range has no state in it', () => {
    const states = [change('alert', 1), change('ok', 2)];
    const segments = toSegments(rule, states, 10 * MINUTE, 20 * MINUTE);
    expect(segments).toMatchObject([{ state: 'ok', fromMs: 10 * MINUTE, toMs: 20 * MINUTE }]);
    expect(describeSegments(segments)).toBe('It did not fire.');
  });
});
