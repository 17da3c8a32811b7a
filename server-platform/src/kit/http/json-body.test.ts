import { expect, it } from 'vitest';
import { readJsonBody } from './json-body.ts';

const LIMIT = 1_048_576;
const requestOf = (body: string): Request => new Request('http://platform.test/', { method: 'POST', body });

/** Counts the event loop turns that begin before the work is done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return turns;
}

it('runs each step of reading a large body in a separate turn of the event loop', async () => {
  const body = `{"items":[${'1,'.repeat(LIMIT / 2 - 20)}1]}`;
  const small = await countTurns(readJsonBody(requestOf('{"items":[1]}'), LIMIT));
  const large = await countTurns(readJsonBody(requestOf(body), LIMIT));
  // Parsing, the search for lossy numbers, and the caller's work.
  expect(large - small).toBeGreaterThanOrEqual(3);
});

it('gives concurrently read large bodies one turn each', async () => {
  const body = `{"items":[${'1,'.repeat(LIMIT / 8)}1]}`;
  const together = Promise.all([1, 2, 3, 4].map(() => readJsonBody(requestOf(body), LIMIT)));
  expect(await countTurns(together)).toBeGreaterThanOrEqual(12);
});
