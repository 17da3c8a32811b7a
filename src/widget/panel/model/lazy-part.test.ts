import { expect, it } from 'vitest';
import { createLazyPart } from './lazy-part.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Creates a part on a network that can be down, and records its failures. */
function createPart() {
  const network = { isUp: true, loads: 0 };
  const causes: unknown[] = [];
  const part = createLazyPart(
    async () => {
      network.loads += 1;
      if (!network.isUp) throw new Error('no network');
      return 'code';
    },
    (cause) => causes.push(cause),
  );
  return { part, network, causes };
}

it('loads a part once, when it is first needed', async () => {
  const { part, network } = createPart();
  expect([network.loads, part.code.value]).toEqual([0, null]);
  part.load();
  part.load();
  await settled();
  part.load();
  expect([network.loads, part.code.value]).toEqual([1, 'code']);
});

it('reports a part that failed to load, and loads it again on the next call', async () => {
  const { part, network, causes } = createPart();
  network.isUp = false;
  part.load();
  await settled();
  expect([part.hasFailed.value, part.code.value]).toEqual([true, null]);
  expect(causes).toEqual([new Error('no network')]);
  network.isUp = true;
  part.load();
  await settled();
  expect([part.hasFailed.value, part.code.value]).toEqual([false, 'code']);
});

it('has a preloaded part available when it is needed', async () => {
  const { part, network } = createPart();
  part.preload();
  await settled();
  expect(part.code.value).toBe('code');
  await part.load();
  expect(network.loads).toBe(1);
});

it('reports no failed preload of a part, and loads it again when it is needed', async () => {
  const { part, network, causes } = createPart();
  network.isUp = false;
  part.preload();
  await settled();
  expect([part.hasFailed.value, causes]).toEqual([false, []]);
  part.preload();
  // Needed while it is loading.
  await part.load();
  expect([part.hasFailed.value, causes]).toEqual([true, [new Error('no network')]]);
  network.isUp = true;
  expect(await part.load()).toBe('code');
  expect(part.hasFailed.value).toBe(false);
});
