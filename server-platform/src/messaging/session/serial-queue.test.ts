import { expect, it } from 'vitest';
import { createDoor } from '../testing/scripted-agent.ts';
import { SerialQueue } from './serial-queue.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('runs one task after the other, in the order of the calls', async () => {
  const queue = new SerialQueue();
  const door = createDoor();
  const seen: string[] = [];
  const first = queue.run(async () => {
    seen.push('first begins');
    await door.opened;
    seen.push('first ends');
    return 1;
  });
  const second = queue.run(async () => seen.push('second'));
  await settled();
  expect(seen).toEqual(['first begins']);
  door.open();
  expect(await Promise.all([first, second])).toEqual([1, 3]);
  expect(seen).toEqual(['first begins', 'first ends', 'second']);
});

it('goes on after a task that fails, whose caller alone gets the error', async () => {
  const queue = new SerialQueue();
  const failing = queue.run(() => Promise.reject(new Error('storage is away')));
  const next = queue.run(async () => 'done');
  await expect(failing).rejects.toThrow('storage is away');
  await expect(next).resolves.toBe('done');
});

it('is idle when everything handed in so far is done', async () => {
  const queue = new SerialQueue();
  const door = createDoor();
  const seen: string[] = [];
  const work = queue.run(async () => {
    await door.opened;
    seen.push('done');
  });
  const idle = queue.idle().then(() => seen.push('idle'));
  await settled();
  expect(seen).toEqual([]);
  door.open();
  await Promise.all([work, idle]);
  expect(seen).toEqual(['done', 'idle']);
});
