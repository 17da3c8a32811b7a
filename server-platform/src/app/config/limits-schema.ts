import * as v from 'valibot';
import { DEFAULT_MESSAGING_LIMITS, type MessagingLimits } from '../../realtime/index.ts';

// Settings where 0 has a meaning (never, unlimited, immediately); for the others, 0 would disable the platform.
const MAY_BE_ZERO = new Set([
  'maxFrameBytes',
  'heartbeatIntervalSeconds',
  'maxReconnectAttempts',
  'endedReplayMs',
  'shutdownGraceMs',
  'shutdownJitterMs',
]);

// Longest delay of a timer.
const MAX = 2_147_483_647;

/** The schema of `limits`: any of the messaging limits; absent ones keep their defaults. */
export const limitsSchema: v.GenericSchema<unknown, Partial<MessagingLimits>> = v.strictObject(
  Object.fromEntries(
    Object.keys(DEFAULT_MESSAGING_LIMITS).map((name) => [name, v.exactOptional(limit(name))]),
  ),
);

function limit(name: string): v.GenericSchema<unknown, number> {
  const least = MAY_BE_ZERO.has(name) ? 0 : 1;
  return v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(MAX, `must be at most ${MAX}`),
  );
}
