import { expect, it } from 'vitest';
import { workInTurns } from './work-in-turns.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('runs a few tasks in each turn of the event loop, in order', async () => {
  const enqueue = workInTurns(2);
  const done: number[] = [];
  for (let piece = 0; piece < 5; piece += 1) enqueue(() => done.push(piece));
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual([0, 1]);
  enqueue(() => done.push(5));
  await nextTurn();
  expect(done).toEqual([0, 1, 2, 3]);
  await nextTurn();
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  enqueue(() => done.push(6));
  await nextTurn();
  expect(done.at(-1)).toBe(6);
});
