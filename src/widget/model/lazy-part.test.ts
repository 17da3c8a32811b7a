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

it('that is loaded before it is needed is there for what needs it', async () => {
  let loads = 0;
  const part = createLazyPart(
    async () => {
      loads += 1;
      return 'code';
    },
    () => {},
  );
  part.preload();
  await settled();
  expect(part.code.value).toBe('code');
  await part.load();
  expect(loads).toBe(1);
});

it('keeps a failure to itself before it is needed, and is loaded again by what needs it', async () => {
  const causes: unknown[] = [];
  let isUp = false;
  const part = createLazyPart(
    () => (isUp ? Promise.resolve('code') : Promise.reject(new Error('no network'))),
    (cause) => causes.push(cause),
  );
  part.preload();
  await settled();
  expect([part.hasFailed.value, causes]).toEqual([false, []]);
  part.preload();
  // Needed while it is under way.
  await part.load();
  expect([part.hasFailed.value, causes]).toEqual([true, [new Error('no network')]]);
  isUp = true;
  expect(await part.load()).toBe('code');
  expect(part.hasFailed.value).toBe(false);
});
