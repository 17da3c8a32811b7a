import { expect, it } from 'vitest';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { HourlyBytes } from './hourly-bytes.ts';

it('gives each key a byte allowance that refills within an hour', () => {
  const clock = createSkippingClock();
  const bytes = new HourlyBytes(clock, 3_600);
  expect([bytes.take('one', 3_600), bytes.take('one', 1), bytes.take('other', 1)]).toEqual([
    true,
    false,
    true,
  ]);
  clock.skip(10_000);
  expect([bytes.take('one', 11), bytes.take('one', 10), bytes.take('one', 1)]).toEqual([false, true, false]);
  clock.skip(7_200_000);
  expect([bytes.take('one', 3_601), bytes.take('one', 3_600)]).toEqual([false, true]);
});
