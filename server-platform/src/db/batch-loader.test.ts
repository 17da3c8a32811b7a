import { expect, it } from 'vitest';
import { BatchLoader } from './batch-loader.ts';
import { DatabaseError } from './database-error.ts';

/** Reads that complete on request, one at a time. */
function createReads(maxKeys = 100) {
  const groups: (readonly string[])[] = [];
  const doors: ((error?: Error) => void)[] = [];
  const reads = new BatchLoader<string, string>({
    maxKeys,
    read: (keys) => {
      groups.push(keys);
      return new Promise((resolve, reject) => {
        doors.push((error) => (error ? reject(error) : resolve(keys.map((key) => key.toUpperCase()))));
      });
    },
  });
  const letGo = async (error?: Error): Promise<void> => {
    await Promise.resolve();
    doors.shift()?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { reads, groups, letGo };
}

it('reads simultaneous requests with one statement, and later ones with the next', async () => {
  const { reads, groups, letGo } = createReads();
  const first = [reads.get('a'), reads.get('b')];
  await Promise.resolve();
  const second = [reads.get('c'), reads.get('a'), reads.get('d')];
  await new Promise((resolve) => setImmediate(resolve));
  expect(groups).toEqual([['a', 'b']]);
  await letGo();
  expect(await Promise.all(first)).toEqual(['A', 'B']);
  // A repeated request is read again, because the answer may have changed.
  expect(groups).toEqual([
    ['a', 'b'],
    ['c', 'a', 'd'],
  ]);
  await letGo();
  expect(await Promise.all(second)).toEqual(['C', 'A', 'D']);
  const last = reads.get('e');
  await letGo();
  expect(await last).toBe('E');
});

it('limits the keys of one statement', async () => {
  const { reads, groups, letGo } = createReads(2);
  const values = Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => reads.get(key)));
  for (let round = 0; round < 3; round++) await letGo();
  expect(await values).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(groups.map(({ length }) => length)).toEqual([2, 2, 1]);
});

it('fails the requests of a failed statement, and continues with the next', async () => {
  const { reads, letGo } = createReads();
  const failing = Promise.allSettled([reads.get('a'), reads.get('b')]);
  await Promise.resolve();
  const next = reads.get('c');
  await letGo(new DatabaseError('unavailable', 'gone'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await letGo();
  expect(await next).toBe('C');
});

it('fails only the key whose row cannot be read, and returns the others', async () => {
  const statements: string[][] = [];
  const reads = new BatchLoader<string, string>({
    maxKeys: 10,
    async read(keys) {
      statements.push([...keys]);
      if (keys.includes('bad')) throw new Error('unreadable');
      return keys.map((key) => key.toUpperCase());
    },
  });
  const values = await Promise.allSettled(['a', 'bad', 'c'].map((key) => reads.get(key)));
  expect(values.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(statements).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
});

it('fails only the row that the database refuses, and does not repeat a statement for a single key', async () => {
  const statements: number[] = [];
  const reads = new BatchLoader<string, string>({
    maxKeys: 10,
    async read(keys) {
      statements.push(keys.length);
      if (keys.includes('bad')) throw new DatabaseError('rejected', 'not a number');
      return keys.map((key) => key.toUpperCase());
    },
  });
  const values = await Promise.allSettled(['a', 'bad'].map((key) => reads.get(key)));
  expect(values.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(statements).toEqual([2, 1, 1]);
  await expect(reads.get('bad')).rejects.toThrow('not a number');
  expect(statements).toEqual([2, 1, 1, 1]);
});

it('rejects a result with another number of rows than keys', async () => {
  const reads = new BatchLoader<string, string>({ maxKeys: 10, read: async () => [] });
  await expect(reads.get('a')).rejects.toThrow('another number of values');
});
