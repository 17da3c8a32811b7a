import { expect, it } from 'vitest';
import { createMailbox } from './mailbox.ts';
import { createDoor } from './testing/scripted-agent.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('runs one piece of work after the other, in the order in which they were handed in', async () => {
  const mailbox = createMailbox();
  const door = createDoor();
  const seen: string[] = [];
  const first = mailbox.run(async () => {
    seen.push('first begins');
    await door.opened;
    seen.push('first ends');
    return 1;
  });
  const second = mailbox.run(async () => seen.push('second'));
  await settled();
  expect(seen).toEqual(['first begins']);
  door.open();
  expect(await Promise.all([first, second])).toEqual([1, 3]);
  expect(seen).toEqual(['first begins', 'first ends', 'second']);
});

it('goes on after work that fails, whose caller alone gets the error', async () => {
  const mailbox = createMailbox();
  const failing = mailbox.run(() => Promise.reject(new Error('storage is away')));
  const next = mailbox.run(async () => 'done');
  await expect(failing).rejects.toThrow('storage is away');
  await expect(next).resolves.toBe('done');
});

it('is idle when everything handed in so far is done', async () => {
  const mailbox = createMailbox();
  const door = createDoor();
  const seen: string[] = [];
  const work = mailbox.run(async () => {
    await door.opened;
    seen.push('done');
  });
  const idle = mailbox.idle().then(() => seen.push('idle'));
  await settled();
  expect(seen).toEqual([]);
  door.open();
  await Promise.all([work, idle]);
  expect(seen).toEqual(['done', 'idle']);
});
