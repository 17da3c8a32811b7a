import { expect, it } from 'vitest';
import { createReloader } from './create-reloader.ts';

/** Reloads that end when the test says so. */
function createNode() {
  const reloads: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  return {
    reloads,
    reload: (): Promise<void> => new Promise((resolve, reject) => reloads.push({ resolve, reject })),
  };
}

it('edits during a reload of a server cause one further reload', async () => {
  const node = createNode();
  const reload = createReloader('The platform', node, () => {});
  reload();
  reload();
  reload();
  expect(node.reloads).toHaveLength(1);
  node.reloads[0]?.resolve();
  await expect.poll(() => node.reloads.length).toBe(2);
  node.reloads[1]?.resolve();
  await Promise.resolve();
  reload();
  await expect.poll(() => node.reloads.length).toBe(3);
});

it('an edit that fails to run is reported, and the next one is tried', async () => {
  const node = createNode();
  const printed: string[] = [];
  const reload = createReloader('The platform', node, (line) => printed.push(line));
  reload();
  node.reloads[0]?.reject(new Error('no such module'));
  await expect.poll(() => printed).toEqual(['The platform does not run with your edit: no such module']);
  reload();
  await expect.poll(() => node.reloads.length).toBe(2);
  node.reloads[1]?.resolve();
  await expect.poll(() => printed[1]).toMatch(/^The platform runs with your edit, after \d+\.\d s\.$/);
});
