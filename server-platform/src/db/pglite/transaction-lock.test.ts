import { expect, it } from 'vitest';
import { TransactionLock } from './transaction-lock.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A lock, what ran under it in order, and bodies that complete on request. */
function createLock() {
  const lock = new TransactionLock();
  const steps: string[] = [];
  const ends = new Map<string, () => void>();
  const body = (name: string) => async (): Promise<string> => {
    steps.push(`begin ${name}`);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    steps.push(`end ${name}`);
    return name;
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settled();
  };
  return { lock, steps, body, end };
}

it('runs single statements at once while there is no transaction', async () => {
  const { lock, steps, body, end } = createLock();
  const both = Promise.all([lock.runShared(body('a')), lock.runShared(body('b'))]);
  expect(steps).toEqual(['begin a', 'begin b']);
  await end('a');
  await end('b');
  expect(await both).toEqual(['a', 'b']);
});

it('delays single statements until open and waiting transactions have ended', async () => {
  const { lock, steps, body, end } = createLock();
  const first = lock.runExclusive(body('first'));
  const second = lock.runExclusive(body('second'));
  const single = lock.runShared(body('single'));
  await settled();
  expect(steps).toEqual(['begin first']);
  await end('first');
  const later = lock.runShared(body('later'));
  await settled();
  expect(steps).toEqual(['begin first', 'end first', 'begin second']);
  await end('second');
  expect(steps.slice(3)).toEqual(['end second', 'begin single', 'begin later']);
  await end('single');
  await end('later');
  expect(await Promise.all([first, second, single, later])).toEqual(['first', 'second', 'single', 'later']);
});

it('runs single statements and transactions in order of arrival', async () => {
  const { lock, steps, body, end } = createLock();
  const names = ['first', 'one', 'second', 'two', 'third'];
  const all = names.map((name, index) =>
    index % 2 === 0 ? lock.runExclusive(body(name)) : lock.runShared(body(name)),
  );
  const another = lock.runShared(body('another'));
  for (const name of names) {
    await settled();
    expect(steps.at(-1)).toBe(`begin ${name}`);
    await end(name);
  }
  expect(steps.at(-1)).toBe('begin another');
  // Also one that arrives after the earlier transaction has ended.
  const late = lock.runExclusive(body('late'));
  await settled();
  expect(steps.at(-1)).toBe('begin another');
  await end('another');
  expect(steps.at(-1)).toBe('begin late');
  await end('late');
  expect(await Promise.all([...all, another, late])).toEqual([...names, 'another', 'late']);
});

it('starts the next transaction after a failed statement', async () => {
  const { lock, body, end } = createLock();
  const first = lock.runExclusive(body('first'));
  const failed = expect(lock.runShared(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const second = lock.runExclusive(async () => 'second');
  await end('first');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  await failed;
});

it('starts the next transaction after a failed one', async () => {
  const { lock } = createLock();
  await expect(lock.runExclusive(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await lock.runExclusive(async () => 1)).toBe(1);
  expect(await lock.runShared(async () => 2)).toBe(2);
});
