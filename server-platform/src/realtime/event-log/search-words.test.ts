import { expect, it } from 'vitest';
import { INDEXED_CHARACTERS, searchWords } from './search-words.ts';

it('indexes only the beginning of a text, however long it is', () => {
  const text = `first ${'x '.repeat(INDEXED_CHARACTERS)} last`;
  expect(searchWords(text)).toEqual(['first', 'x']);
  const distinct = Array.from({ length: 50_000 }, (_, index) => `w${index}`).join(' ');
  expect(searchWords(distinct).join(' ').length).toBeLessThanOrEqual(INDEXED_CHARACTERS);
  // Each ligature folds to three letters.
  expect(searchWords('ﬃ'.repeat(100_000)).join('').length).toBeLessThanOrEqual(3 * INDEXED_CHARACTERS);
});
