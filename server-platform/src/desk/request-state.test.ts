import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RequestState, type RequestStep, takeStep } from './request-state.ts';

const START: RequestState = {
  ...{ status: 'waiting', queueId: 'q', personId: null, wantedPersonId: null, declined: {} },
  ...{ offerExpiresAtMs: null, acceptedAtMs: null, endedAtMs: null, endReason: null },
};

const person = fc.constantFrom('ada', 'ben', 'cem');
const step: fc.Arbitrary<RequestStep> = fc.oneof(
  person.map((personId) => ({ type: 'offer' as const, personId, untilMs: 30 })),
  person.map((personId) => ({ type: 'accept' as const, personId })),
  person.map((personId) => ({ type: 'decline' as const, personId })),
  fc.constant({ type: 'time_out' as const }),
  fc
    .record({ personId: person, isTakeOver: fc.boolean() })
    .map((fields) => ({ type: 'take' as const, ...fields })),
  fc
    .record({ queueId: fc.constantFrom('q', 'r'), toPersonId: fc.option(person) })
    .map((to) => ({ type: 'transfer' as const, ...to })),
  fc.constant({ type: 'release' as const }),
  fc.constant({ type: 'return' as const }),
  fc.constant({ type: 'end' as const }),
  fc.constant({ type: 'close' as const, reason: 'expired' }),
);

const run = (
  steps: readonly RequestStep[],
  check: (state: RequestState, told: readonly string[]) => void,
): void => {
  let state = START;
  const told: string[] = [];
  steps.forEach((each, index) => {
    const result = takeStep(state, each, index);
    if (result === null) return;
    state = result.state;
    for (const { type, ...rest } of result.told)
      told.push(['personId' in rest ? rest.personId : '', type, 'next' in rest ? rest.next : ''].join(' '));
    check(state, told);
  });
};

it('has a person while offered or accepted, a deadline while offered, and a final end', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let ended: RequestState | null = null;
      run(steps, (state) => {
        expect(ended, 'nothing follows the end').toBeNull();
        if (state.endedAtMs !== null) ended = state;
        const hasPerson = state.status === 'offered' || state.status === 'accepted';
        if (state.endedAtMs === null) expect(state.personId !== null).toBe(hasPerson);
        expect(state.offerExpiresAtMs !== null).toBe(state.status === 'offered');
        if (state.status === 'abandoned') expect(state.acceptedAtMs).toBeNull();
      });
    }),
  );
});

it('shows the visitor one person at a time: only a joined person leaves, and no one joins twice', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      run(steps, (state, told) => {
        let there: string | null = null;
        for (const each of told) {
          const [who = '', what] = each.split(' ');
          if (what === 'joined') {
            expect(there).toBeNull();
            there = who;
          } else if (what === 'left') {
            expect(there).toBe(who);
            there = null;
          }
        }
        if (state.endedAtMs === null) expect(there).toBe(state.status === 'accepted' ? state.personId : null);
      });
    }),
  );
});

it('reports how a person leaves: for the queue, the agent, or permanently', () => {
  const accepted = takeStep(START, { type: 'take', personId: 'ada', isTakeOver: false }, 1)?.state ?? START;
  const nextAfter = (each: RequestStep): unknown => takeStep(accepted, each, 2)?.told[0];
  expect(nextAfter({ type: 'transfer', queueId: 'r', toPersonId: 'ben' })).toMatchObject({ next: 'wait' });
  expect(nextAfter({ type: 'release' })).toMatchObject({ next: 'wait', reason: 'away' });
  expect(nextAfter({ type: 'return' })).toMatchObject({ next: 'agent' });
  expect(nextAfter({ type: 'end' })).toMatchObject({ next: 'end' });
  expect(nextAfter({ type: 'close', reason: 'user_ended' })).toBeUndefined();
});

it('rejects accepting another person’s request, except as a takeover', () => {
  const take = (personId: string, isTakeOver: boolean): RequestStep => ({
    type: 'take',
    personId,
    isTakeOver,
  });
  const ofAda = takeStep(START, take('ada', false), 1)?.state ?? START;
  expect(takeStep(ofAda, take('ben', false), 2)).toBeNull();
  // A person who already has it does not join again.
  expect(takeStep(ofAda, take('ada', false), 2)).toBeNull();
  expect(takeStep(ofAda, take('ada', true), 2)).toBeNull();
  expect(takeStep(ofAda, take('ben', true), 2)?.told).toMatchObject([
    { type: 'left', personId: 'ada', reason: 'taken_over' },
    { type: 'joined', personId: 'ben' },
  ]);
  const toAda = takeStep(START, { type: 'offer', personId: 'ada', untilMs: 30 }, 1)?.state ?? START;
  expect(takeStep(toAda, take('ben', false), 2)).toBeNull();
});
