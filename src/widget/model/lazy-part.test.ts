import { expect, it } from 'vitest';
import { createLazyPart } from './lazy-part.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it('is fetched once, when something first needs it', async () => {
  let loads = 0;
  const part = createLazyPart(
    async () => {
      loads += 1;
      return 'code';
    },
    () => {},
  );
  expect([loads, part.code.value]).toEqual([0, null]);
  part.load();
  part.load();
  await settled();
  part.load();
  expect([loads, part.code.value]).toEqual([1, 'code']);
});

it('reports a failure, and is loaded again by the next call', async () => {
  const causes: unknown[] = [];
  let isUp = false;
  const part = createLazyPart(
    () => (isUp ? Promise.resolve('code') : Promise.reject(new Error('no network'))),
    (cause) => causes.push(cause),
  );
  part.load();
  await settled();
  expect([part.hasFailed.value, part.code.value]).toEqual([true, null]);
  expect(causes).toEqual([new Error('no network')]);
  isUp = true;
  part.load();
  await settled();
  expect([part.hasFailed.value, part.code.value]).toEqual([false, 'code']);
});
