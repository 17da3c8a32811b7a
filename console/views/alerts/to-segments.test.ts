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
  it('begin with the state that it was in, and end now', () => {
    const states = [change('ok', 5), change('alert', 20), change('alert', 25, 'ar_2'), change('ok', 30)];
    const segments = toSegments(rule, states, 10 * MINUTE, 60 * MINUTE);
    expect(segments.map(({ state, fromMs, toMs }) => [state, fromMs / MINUTE, toMs / MINUTE])).toEqual([
      ['ok', 10, 20],
      ['alert', 20, 30],
      ['ok', 30, 60],
    ]);
    expect(describeSegments(segments)).toBe('It fired once, for 10 min in all.');
  });

  it('are the present one alone for a rule whose changes nobody wrote down', () => {
    expect(toSegments(rule, [], 10 * MINUTE, 60 * MINUTE)).toMatchObject([
      { state: 'ok', fromMs: 50 * MINUTE, toMs: 60 * MINUTE },
    ]);
    expect(toSegments({ ...rule, current_state: null, since: null }, [], 0, MINUTE)).toEqual([]);
  });

  it('a range has no state of a rule that was over before it', () => {
    const states = [change('alert', 1), change('ok', 2)];
    const segments = toSegments(rule, states, 10 * MINUTE, 20 * MINUTE);
    expect(segments).toMatchObject([{ state: 'ok', fromMs: 10 * MINUTE, toMs: 20 * MINUTE }]);
    expect(describeSegments(segments)).toBe('It did not fire.');
  });
});
