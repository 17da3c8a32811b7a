import * as v from 'valibot';
import { DEFAULT_MESSAGING_LIMITS, type MessagingLimits } from '../../realtime/index.ts';

// Settings where 0 has a meaning (never, unlimited, at once); elsewhere 0 would switch the platform off.
const MAY_BE_ZERO = new Set([
  'maxFrameBytes',
  'heartbeatIntervalSeconds',
  'maxReconnectAttempts',
  'endedReplayMs',
  'shutdownGraceMs',
  'shutdownJitterMs',
]);

// The longest a timer can wait.
const MAX = 2_147_483_647;

/** The schema of `limits`: any of the messaging limits, the others keep the contract's numbers. */
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
