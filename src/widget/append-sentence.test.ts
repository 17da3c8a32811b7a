import { expect, it } from 'vitest';
import { appendSentence, type Sentence } from './append-sentence.ts';

it('keeps the latest six of any number of sentences, each by a name of its own', () => {
  let said: readonly Sentence[] = [];
  for (let count = 0; count < 1_000; count += 1) said = appendSentence(said, `Sentence ${count}`);
  expect(said.map(({ text }) => text)).toEqual(
    [994, 995, 996, 997, 998, 999].map((count) => `Sentence ${count}`),
  );
  expect(new Set(said.map(({ id }) => id)).size).toBe(6);
});
