import { expect, it } from 'vitest';
import { VectorThread } from './vector-thread.ts';

it('rejects what it was asked when it ends, and everything after that', async () => {
  const thread = new VectorThread();
  expect(await thread.ask('ids', { table: 'none', row: 0, limit: 1 })).toEqual([]);
  expect(thread.hasEnded).toBe(false);
  const ending = thread.end();
  const asked = thread.ask('ids', { table: 'none', row: 0, limit: 1 });
  const failure = 'The thread that compares vectors has ended.';
  await expect(asked).rejects.toThrow(failure);
  await ending;
  await expect(thread.ask('drop', { table: 'some' })).rejects.toThrow(failure);
  expect(thread.hasEnded).toBe(true);
});

it('that breaks rejects what it was asked with the error', async () => {
  const thread = new VectorThread();
  const page = { ids: ['CONV-A'], startedAtMs: [0], vectors: new Float32Array(new SharedArrayBuffer(8)) };
  // No vector has less than no numbers.
  await expect(thread.ask('put', { table: 'some', size: -1, page })).rejects.toThrow(
    'Invalid typed array length',
  );
  expect(thread.hasEnded).toBe(true);
  await thread.end();
});
