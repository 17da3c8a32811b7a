import { expect, it } from 'vitest';
import { createPart } from './part.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it('is fetched once, when something first needs it', async () => {
  let loads = 0;
  const part = createPart(
    async () => {
      loads += 1;
      return 'code';
    },
    () => {},
  );
  expect([loads, part.code.value]).toEqual([0, null]);
  part.need();
  part.need();
  await settled();
  part.need();
  expect([loads, part.code.value]).toEqual([1, 'code']);
});

it('tells of a failure, and is tried again by the next need', async () => {
  const causes: unknown[] = [];
  let isUp = false;
  const part = createPart(
    () => (isUp ? Promise.resolve('code') : Promise.reject(new Error('no network'))),
    (cause) => causes.push(cause),
  );
  part.need();
  await settled();
  expect([part.hasFailed.value, part.code.value]).toEqual([true, null]);
  expect(causes).toEqual([new Error('no network')]);
  isUp = true;
  part.need();
  await settled();
  expect([part.hasFailed.value, part.code.value]).toEqual([false, 'code']);
});
