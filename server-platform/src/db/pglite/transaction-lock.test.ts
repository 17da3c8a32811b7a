import { expect, it } from 'vitest';
import { TransactionLock } from './transaction-lock.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A lock, what ran under it in order, and bodies that end when the test says so. */
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

it('keeps single statements back until the open transaction has ended, and lets them go before the next one', async () => {
  const { lock, steps, body, end } = createLock();
  const first = lock.runExclusive(body('first'));
  const waiting = Array.from({ length: 5 }, (_, index) => lock.runExclusive(body(`waiting ${index}`)));
  const single = lock.runShared(body('single'));
  await settled();
  expect(steps).toEqual(['begin first']);
  await end('first');
  expect(steps.slice(1)).toEqual(['end first', 'begin single']);
  // One that comes now waits for the next transaction, which would otherwise never begin.
  const late = lock.runShared(body('late'));
  await end('single');
  expect(steps.slice(3)).toEqual(['end single', 'begin waiting 0']);
  await end('waiting 0');
  expect(steps.at(-1)).toBe('begin late');
  await end('late');
  for (const index of [1, 2, 3, 4]) await end(`waiting ${index}`);
  expect(await Promise.all([first, single, late])).toEqual(['first', 'single', 'late']);
  expect(await Promise.all(waiting)).toEqual([0, 1, 2, 3, 4].map((index) => `waiting ${index}`));
});

it('runs transactions in the order in which they came, and lets one wait for all statements before it', async () => {
  const { lock, steps, body, end } = createLock();
  const first = lock.runExclusive(body('first'));
  const singles = ['one', 'two'].map((name) => lock.runShared(body(name)));
  await end('first');
  expect(steps.slice(2)).toEqual(['begin one', 'begin two']);
  // Also one that comes when the transaction before it is over already.
  const late = lock.runExclusive(body('late'));
  const last = lock.runExclusive(body('last'));
  await end('one');
  expect(steps.at(-1)).toBe('end one');
  await end('two');
  expect(steps.at(-1)).toBe('begin late');
  await end('late');
  expect(steps.at(-1)).toBe('begin last');
  await end('last');
  expect(await Promise.all([first, ...singles, late, last])).toEqual(['first', 'one', 'two', 'late', 'last']);
  const after = lock.runShared(body('after'));
  expect(steps.at(-1)).toBe('begin after');
  await end('after');
  await after;
});

it('lets the next transaction in when a statement before it has failed', async () => {
  const { lock, body, end } = createLock();
  const first = lock.runExclusive(body('first'));
  const failed = expect(lock.runShared(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const second = lock.runExclusive(async () => 'second');
  await end('first');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  await failed;
});

it('goes on after a transaction that failed', async () => {
  const { lock } = createLock();
  await expect(lock.runExclusive(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await lock.runExclusive(async () => 1)).toBe(1);
  expect(await lock.runShared(async () => 2)).toBe(2);
});
