import { quantile } from '../soak/report.ts';
import type { Observation } from './observation.ts';
import type { Vitals } from './stack/stack-messages.ts';

/** The most that the honest visitors' 99th percentile may grow under attack. */
const MAX_RATIO = 5;
/** Minimum for the calm percentile: five times this is a quarter of a second, which a mobile network also takes. */
const FLOOR_MS = 50;
/** Memory that may remain after an attack: caches, compiled code, the honest visitors' own messages. */
const HEAP_SLACK_BYTES: number = 16 * 1_048_576;
/** The operating system gets freed memory back late, and only in part: two threads keep the pages of their largest burst. */
const RSS_SLACK_BYTES: number = 256 * 1_048_576;
/** The token proxy keeps a few connections to the platform, of which both ends count. */
const DESCRIPTOR_SLACK = 12;

/** 99th percentiles in milliseconds, and their ratio. Null without samples. */
export interface Latencies {
  readonly calmMs: number | null;
  readonly attackedMs: number | null;
  readonly ratio: number | null;
}

/** The 99th percentiles of an observation. The calm one is the median of the quiet phases. */
export function latenciesOf({ calm, attacked }: Observation): Latencies {
  const calmMs = quantile(
    calm.flatMap(({ answeredMs }) => quantile(answeredMs, 0.99) ?? []),
    0.5,
  );
  const attackedMs = quantile(attacked.answeredMs, 0.99);
  const ratio = calmMs === null || attackedMs === null ? null : attackedMs / Math.max(calmMs, FLOOR_MS);
  return { calmMs, attackedMs, ratio };
}

/** Whether descriptors, sockets and heap are back where they were. */
export function isSettled(before: Vitals, after: Vitals): boolean {
  return findVitalFaults(before, after).length === 0;
}

function findVitalFaults(before: Vitals, after: Vitals): readonly string[] {
  const faults: string[] = [];
  const grown = (what: string, was: number, is: number, slack: number, unit: number): void => {
    if (is > was + slack)
      faults.push(`${what} grew from ${Math.round(was / unit)} to ${Math.round(is / unit)}`);
  };
  const MEBIBYTE = 1_048_576;
  if (before.descriptors !== null && after.descriptors !== null)
    grown('file descriptors', before.descriptors, after.descriptors, DESCRIPTOR_SLACK, 1);
  grown('sockets', before.sockets, after.sockets, DESCRIPTOR_SLACK, 1);
  grown('heap (MiB)', before.heapBytes, after.heapBytes, HEAP_SLACK_BYTES, MEBIBYTE);
  grown('resident memory (MiB)', before.rssBytes, after.rssBytes, RSS_SLACK_BYTES, MEBIBYTE);
  return faults;
}

/** Damage done by an attack: to the stack, to honest visitors, or by reading protected data. Empty: none. */
export function findFaults(observation: Observation): readonly string[] {
  const { attacked, newcomer, before, after, death, failure, errors } = observation;
  if (death !== null) return [death];
  const faults: string[] = [];
  if (failure !== null) faults.push(failure);
  if (attacked.unanswered > 0) faults.push(`${attacked.unanswered} honest messages without an answer`);
  if (attacked.answeredMs.length === 0) faults.push('no honest message was answered');
  if (attacked.disconnects > 0) faults.push(`${attacked.disconnects} honest connections lost`);
  if (attacked.lostSessions > 0) faults.push(`${attacked.lostSessions} honest visitors logged out`);
  if (newcomer !== null) faults.push(`a newcomer was kept out (${newcomer})`);
  const [restFailure] = attacked.restFailures;
  if (restFailure !== undefined)
    faults.push(`${attacked.restFailures.length} calls with a valid key failed (${restFailure})`);
  if (after === null) faults.push('the stack did not answer after the attack');
  else faults.push(...findVitalFaults(before, after));
  if (errors.length > 0) faults.push(`${errors.length} lines logged as errors: ${errors[0]?.slice(0, 300)}`);
  faults.push(...findOutcomeFaults(observation));
  return faults;
}

function findOutcomeFaults({ attack, outcomes, failure }: Observation): readonly string[] {
  const isAllowed = (outcome: string): boolean =>
    attack.required.includes(outcome) ||
    attack.allowed.some((each) => (typeof each === 'string' ? each === outcome : each.test(outcome)));
  const got = Object.keys(outcomes);
  const forbidden = got.filter((outcome) => !isAllowed(outcome));
  const missing = failure === null ? attack.required.filter((outcome) => !got.includes(outcome)) : [];
  return [
    ...forbidden.map((outcome) => `peers got "${outcome}" (${outcomes[outcome]} times)`),
    ...missing.map((outcome) => `no peer got "${outcome}"`),
  ];
}

/** The timed verdict, of the full form only. */
export function findTimeFaults(observation: Observation): readonly string[] {
  const { ratio } = latenciesOf(observation);
  return ratio !== null && ratio > MAX_RATIO
    ? [`the honest 99th percentile is ${ratio.toFixed(1)} times the calm one, more than ${MAX_RATIO}`]
    : [];
}
