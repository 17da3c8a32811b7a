import type { AlertOperator, AlertState } from '@natter/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AlertEvaluation,
  type AlertStatus,
  applyEvaluation,
  INITIAL_STATUS,
  isBreach,
} from './transition.ts';

const BREACH: AlertEvaluation = { kind: 'value', isBreach: true };
const FINE: AlertEvaluation = { kind: 'value', isBreach: false };
const NO_DATA: AlertEvaluation = { kind: 'no_data' };
const FAILED: AlertEvaluation = { kind: 'failed' };

const closed = (state: AlertState): AlertStatus => ({ state, isIncidentOpen: false });
const open = (state: AlertState): AlertStatus => ({ state, isIncidentOpen: true });
const triggered = (previousState: AlertState) => ({ type: 'alerts.triggered' as const, previousState });
const RESOLVED = { type: 'alerts.resolved' as const, previousState: 'alert' as const };

describe('the state of a rule (9.1)', () => {
  it.each([
    // any, not firing → alert
    [closed('ok'), BREACH, { ...open('alert'), event: triggered('ok') }],
    [closed('no_data'), BREACH, { ...open('alert'), event: triggered('no_data') }],
    [closed('unknown'), BREACH, { ...open('alert'), event: triggered('unknown') }],
    // alert → ok
    [open('alert'), FINE, { ...closed('ok'), event: RESOLVED }],
    // alert → no_data or unknown: the incident stays open
    [open('alert'), NO_DATA, { ...open('no_data'), event: null }],
    [open('alert'), FAILED, { ...open('unknown'), event: null }],
    // no_data or unknown, incident open → alert
    [open('no_data'), BREACH, { ...open('alert'), event: null }],
    [open('unknown'), BREACH, { ...open('alert'), event: null }],
    // no_data or unknown, incident open → ok
    [open('no_data'), FINE, { ...closed('ok'), event: RESOLVED }],
    [open('unknown'), FINE, { ...closed('ok'), event: RESOLVED }],
    // all others
    [closed('ok'), FINE, { ...closed('ok'), event: null }],
    [closed('ok'), NO_DATA, { ...closed('no_data'), event: null }],
    [closed('ok'), FAILED, { ...closed('unknown'), event: null }],
    [open('alert'), BREACH, { ...open('alert'), event: null }],
    [closed('no_data'), FINE, { ...closed('ok'), event: null }],
    [closed('no_data'), NO_DATA, { ...closed('no_data'), event: null }],
    [closed('no_data'), FAILED, { ...closed('unknown'), event: null }],
    [closed('unknown'), FINE, { ...closed('ok'), event: null }],
    [closed('unknown'), NO_DATA, { ...closed('no_data'), event: null }],
    [closed('unknown'), FAILED, { ...closed('unknown'), event: null }],
    [open('no_data'), NO_DATA, { ...open('no_data'), event: null }],
    [open('no_data'), FAILED, { ...open('unknown'), event: null }],
    [open('unknown'), NO_DATA, { ...open('no_data'), event: null }],
    [open('unknown'), FAILED, { ...open('unknown'), event: null }],
  ])('moves a rule from %o after %o to %o', (status, evaluation, expected) => {
    expect(applyEvaluation(status, evaluation)).toEqual(expected);
  });

  it('starts a rule as ok, without an incident (AL-10)', () => {
    expect(INITIAL_STATUS).toEqual(closed('ok'));
  });

  it('sets a rule to unknown after a failed evaluation, in every state (AL-9)', () => {
    for (const status of [closed('ok'), open('alert'), closed('no_data')]) {
      expect(applyEvaluation(status, FAILED).state).toBe('unknown');
    }
  });

  it('reports each incident once and its end once, in any order of events', () => {
    const evaluations = fc.array(fc.constantFrom(BREACH, FINE, NO_DATA, FAILED));
    fc.assert(
      fc.property(evaluations, (course) => {
        let status = INITIAL_STATUS;
        const events: string[] = [];
        for (const evaluation of course) {
          const next = applyEvaluation(status, evaluation);
          if (next.event !== null) events.push(next.event.type);
          status = next;
        }
        const expected = events.map((_, index) => (index % 2 === 0 ? 'alerts.triggered' : 'alerts.resolved'));
        expect(events).toEqual(expected);
        expect(status.isIncidentOpen).toBe(events.length % 2 === 1);
      }),
    );
  });
});

describe('a breach', () => {
  it.each<[number, AlertOperator, number, boolean]>([
    [3, '>', 2, true],
    [2, '>', 2, false],
    [1, '<', 2, true],
    [2, '<', 2, false],
    [2, '>=', 2, true],
    [1, '>=', 2, false],
    [2, '<=', 2, true],
    [3, '<=', 2, false],
  ])(
    'compares value, operator and threshold: %i %s %i is %s (AL-7)',
    (value, operator, threshold, expected) => {
      expect(isBreach(value, operator, threshold)).toBe(expected);
    },
  );
});
