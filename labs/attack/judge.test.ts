import { describe, expect, it } from 'vitest';
import type { Attack } from './attack.ts';
import type { Talk } from './honest/honest-visitors.ts';
import { findFaults, findTimeFaults, latenciesOf } from './judge.ts';
import type { Observation } from './observation.ts';
import type { Vitals } from './stack/stack-messages.ts';

const attack: Attack = {
  name: 'test',
  summary: 'does nothing',
  allowed: [/^HTTP 4\d\d$/],
  required: ['HTTP 401'],
  run: async () => {},
};
const vitals: Vitals = { rssBytes: 200e6, heapBytes: 30e6, descriptors: 40, sockets: 10 };
const talkOf = (...answeredMs: readonly number[]): Talk => ({
  answeredMs,
  unanswered: 0,
  disconnects: 0,
  lostSessions: 0,
  restFailures: [],
});
const calmly: Observation = {
  attack,
  calm: [talkOf(10, 20)],
  attacked: talkOf(30, 90),
  newcomer: null,
  before: vitals,
  after: vitals,
  outcomes: { 'HTTP 401': 3, 'HTTP 429': 1 },
  failure: null,
  death: null,
  errors: [],
};

describe('the verdict', () => {
  it('the verdict is empty when a stack withstood the attack', () => {
    expect([...findFaults(calmly), ...findTimeFaults(calmly)]).toEqual([]);
  });

  it.each<[string, Partial<Observation>]>([
    ['the process ended', { death: 'ended: SIGSEGV' }],
    ['the attack could not be run', { failure: 'no session' }],
    ['an honest message had no answer', { attacked: { ...calmly.attacked, unanswered: 1 } }],
    ['no honest message was answered', { attacked: talkOf() }],
    ['an honest connection was lost', { attacked: { ...calmly.attacked, disconnects: 1 } }],
    ['an honest visitor was logged out', { attacked: { ...calmly.attacked, lostSessions: 1 } }],
    ['a valid key was refused', { attacked: { ...calmly.attacked, restFailures: ['HTTP 429'] } }],
    ['a newcomer was kept out', { newcomer: 'socket: HTTP 503' }],
    ['the stack did not answer', { after: null }],
    ['descriptors were kept', { after: { ...vitals, descriptors: 80 } }],
    ['sockets were kept', { after: { ...vitals, sockets: 80 } }],
    ['heap was kept', { after: { ...vitals, heapBytes: 60e6 } }],
    ['memory was kept', { after: { ...vitals, rssBytes: 900e6 } }],
    ['an error was logged', { errors: ['{"level":50}'] }],
    ['attackers got what they must not get', { outcomes: { ...calmly.outcomes, 'HTTP 500': 1 } }],
    ['attackers did not get what they must get', { outcomes: { 'HTTP 429': 1 } }],
  ])('the verdict gives one reason when %s', (_name, what) => {
    expect(findFaults({ ...calmly, ...what })).toHaveLength(1);
  });

  it('the verdict compares the 99th percentile, with a minimum for a calm stack', () => {
    const slow = { ...calmly, attacked: talkOf(...Array.from({ length: 98 }, () => 5), 251, 900) };
    expect(latenciesOf(slow)).toMatchObject({ calmMs: 20, attackedMs: 251 });
    expect(findTimeFaults(slow)).toHaveLength(1);
    expect(findTimeFaults({ ...calmly, calm: [talkOf(1)], attacked: talkOf(250) })).toEqual([]);
    expect(findTimeFaults({ ...calmly, calm: [talkOf(1)], attacked: talkOf(251) })).toHaveLength(1);
    expect(findTimeFaults({ ...calmly, calm: [], attacked: talkOf(9_999) })).toEqual([]);
  });

  it('the verdict compares the median of the quiet phases, so that a slow one neither hides nor causes a fault', () => {
    const [usual, slow] = [talkOf(10, 60), talkOf(10, 900)];
    expect(latenciesOf({ ...calmly, calm: [usual, slow, talkOf(), usual] })).toMatchObject({ calmMs: 60 });
    expect(findTimeFaults({ ...calmly, calm: [slow, usual, usual], attacked: talkOf(301) })).toHaveLength(1);
  });
});
