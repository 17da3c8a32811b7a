import { expect, it } from 'vitest';
import { readAhead } from './read-ahead.ts';

it('yields every part in order, and reads two more while one is used', async () => {
  const begun: number[] = [];
  const used: string[] = [];
  const read = async (part: number): Promise<string> => {
    begun.push(part);
    // Later parts complete sooner.
    for (let turn = part; turn < 5; turn += 1) await Promise.resolve();
    return `part ${part}`;
  };
  for await (const result of readAhead([1, 2, 3, 4], read)) used.push(`${result} of ${begun.length}`);
  expect(used).toEqual(['part 1 of 3', 'part 2 of 4', 'part 3 of 4', 'part 4 of 4']);
});

it('reads nothing for an empty list', async () => {
  const read = (): Promise<never> => Promise.reject(new Error('read'));
  for await (const result of readAhead([], read)) expect(result).toBe('nothing');
});

it('rejects with the first failed part only', async () => {
  const parts = readAhead(['a', 'b', 'c'], (part) =>
    part === 'a' ? Promise.resolve(part) : Promise.reject(new Error(part)),
  );
  expect(await parts.next()).toEqual({ done: false, value: 'a' });
  await expect(parts.next()).rejects.toThrow('b');
  expect(await parts.next()).toEqual({ done: true, value: undefined });
});
