import { expect, it } from 'vitest';
import { Admission } from './admission.ts';
import { createSkippingClock } from './testing/skipping-clock.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function createAdmission(maxWaiting = 10) {
  const clock = createSkippingClock();
  const admission = new Admission({ clock, maxAtOnce: 2, maxWaiting, maxWaitMs: 10_000 });
  const order: string[] = [];
  const come = async (name: string): Promise<void> => {
    order.push(`${name} ${(await admission.enter()) ? 'in' : 'away'}`);
  };
  return { clock, admission, order, come };
}

it('lets so many in at a time, and the others in the order in which they came', async () => {
  const { admission, order, come } = createAdmission();
  for (const name of ['a', 'b', 'c', 'd', 'e']) void come(name);
  await settled();
  expect(order).toEqual(['a in', 'b in']);
  expect(admission.waitingCount).toBe(3);
  admission.leave();
  await settled();
  expect(order).toEqual(['a in', 'b in', 'c in']);
  for (let count = 0; count < 4; count++) admission.leave();
  await settled();
  expect(order).toEqual(['a in', 'b in', 'c in', 'd in', 'e in']);
  void come('f');
  await settled();
  expect(order.at(-1)).toBe('f in');
});

it('sends away who has waited too long, and who finds too many waiting', async () => {
  const { clock, admission, order, come } = createAdmission(1);
  for (const name of ['a', 'b', 'c', 'd']) void come(name);
  await settled();
  expect(order).toEqual(['a in', 'b in', 'd away']);
  clock.skip(10_000);
  await settled();
  expect(order.at(-1)).toBe('c away');
  // The places of those inside are given to nobody who has gone.
  admission.leave();
  admission.leave();
  for (const name of ['e', 'f', 'g']) void come(name);
  await settled();
  expect(order.slice(-2)).toEqual(['e in', 'f in']);
});
