import { describe, expect, it } from 'vitest';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
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

it('continues after a failed task, and rejects only for its caller', async () => {
  const queue = new SerialQueue();
  const failing = queue.run(() => Promise.reject(new Error('storage is away')));
  const next = queue.run(async () => 'done');
  await expect(failing).rejects.toThrow('storage is away');
  await expect(next).resolves.toBe('done');
});

it('is idle when all tasks so far have finished', async () => {
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

describe('tasks side by side', () => {
  /** A queue, and tasks that report their start and end and wait at their own doors. */
  function createTasks() {
    const queue = new SerialQueue();
    const seen: string[] = [];
    const task = (name: string) => {
      const door = createDoor();
      const run = async (): Promise<void> => {
        seen.push(`${name} begins`);
        await door.opened;
        seen.push(`${name} ends`);
      };
      return { run, open: door.open };
    };
    return { queue, seen, task };
  }

  it('begins concurrent tasks in order, and an exclusive task after all of them have finished', async () => {
    const { queue, seen, task } = createTasks();
    const [before, one, two, alone, later] = ['before', 'one', 'two', 'alone', 'later'].map(task);
    if (!before || !one || !two || !alone || !later) throw new Error('no tasks');
    const never = (): Promise<void> => Promise.reject(new Error('the task could begin beside others'));
    const beside = (run: () => Promise<void>): Promise<void> =>
      queue.runBeside(() => run().then(() => true), never);
    const all = [
      queue.run(before.run),
      beside(one.run),
      beside(two.run),
      queue.run(alone.run),
      beside(later.run),
    ];
    await settled();
    expect(seen).toEqual(['before begins']);
    before.open();
    await settled();
    expect(seen.splice(0)).toEqual(['before begins', 'before ends', 'one begins', 'two begins']);
    two.open();
    await settled();
    expect(seen.splice(0)).toEqual(['two ends']);
    one.open();
    await settled();
    expect(seen.splice(0)).toEqual(['one ends', 'alone begins']);
    alone.open();
    await settled();
    expect(seen.splice(0)).toEqual(['alone ends', 'later begins']);
    later.open();
    await Promise.all(all);
  });

  it('runs tasks alone that cannot begin beside others, and later ones wait', async () => {
    const { queue, seen, task } = createTasks();
    const [first, alone, next] = ['first', 'alone', 'next'].map(task);
    if (!first || !alone || !next) throw new Error('no tasks');
    const all = [
      queue.runBeside(() => first.run().then(() => true), first.run),
      queue.runBeside(() => null, alone.run),
      queue.runBeside(() => next.run().then(() => true), next.run),
    ];
    await settled();
    expect(seen.splice(0)).toEqual(['first begins']);
    first.open();
    await settled();
    expect(seen.splice(0)).toEqual(['first ends', 'alone begins']);
    alone.open();
    next.open();
    await Promise.all(all);
    expect(seen).toEqual(['alone ends', 'next begins', 'next ends']);
  });

  it('runs tasks that began in vain alone, in their place', async () => {
    const { queue, seen, task } = createTasks();
    const [first, vain, next] = ['first', 'vain', 'next'].map(task);
    if (!first || !vain || !next) throw new Error('no tasks');
    const beside = (run: () => Promise<void>, begin: () => Promise<boolean>): Promise<void> =>
      queue.runBeside(begin, run);
    const lost = createDoor();
    const all = [
      beside(first.run, () => first.run().then(() => true)),
      beside(vain.run, () => lost.opened.then(() => false)),
    ];
    await settled();
    lost.open();
    await settled();
    // The task before it has not finished.
    expect(seen.splice(0)).toEqual(['first begins']);
    first.open();
    await settled();
    expect(seen.splice(0)).toEqual(['first ends', 'vain begins']);
    // One that comes now could begin, but would overtake those that were begun in vain with this one.
    all.push(beside(next.run, () => next.run().then(() => true)));
    await settled();
    expect(seen.splice(0)).toEqual([]);
    vain.open();
    await settled();
    expect(seen.splice(0)).toEqual(['vain ends', 'next begins']);
    next.open();
    await Promise.all(all);
  });

  it('rejects a failed concurrent task only for its caller, and blocks no other', async () => {
    const { queue } = createTasks();
    const failing = queue.runBeside(
      () => Promise.reject(new Error('storage is away')),
      async () => {},
    );
    await expect(failing).rejects.toThrow('storage is away');
    await expect(queue.run(async () => 'done')).resolves.toBe('done');
  });
});
