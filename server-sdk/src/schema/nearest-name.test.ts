import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const KNOWN = ['start_time', 'end_time', 'channel', 'variant_id', 'limit', 'offset', 'include_latency'];

it.each([
  ['chanel', 'channel'],
  ['startTime', 'start_time'],
  ['LIMIT', 'limit'],
  ['latency', 'include_latency'],
  ['ofset', 'offset'],
  ['colour', null],
  ['x', null],
  ['', null],
  ['channel'.repeat(100), null],
])('finds for %j the known name %j', (given, nearest) => {
  expect(nearestName(given, KNOWN)).toBe(nearest);
});
