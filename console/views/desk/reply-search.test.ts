import { expect, it } from 'vitest';
import { findReplies, readSearch } from './reply-search.ts';

it('finds a search at the beginning of the text, of a line and after a blank', () => {
  expect(readSearch('/', 1)).toEqual({ start: 0, end: 1, words: '' });
  expect(readSearch('Yes.\n/gre', 9)).toEqual({ start: 5, end: 9, words: 'gre' });
  expect(readSearch('Yes. /opening ho', 16)).toEqual({ start: 5, end: 16, words: 'opening ho' });
});

it('reads from the last slash to the caret, not what follows the caret', () => {
  expect(readSearch('/hello /gre later', 11)).toEqual({ start: 7, end: 11, words: 'gre' });
  expect(readSearch('/gre / ', 7)).toEqual({ start: 0, end: 7, words: 'gre / ' });
});

it('takes no slash within a word, before a blank or of an earlier line for a search', () => {
  for (const text of ['and/or', 'and / or', 'https://example.com', '/greeting\nand', 'Yes.'])
    expect(readSearch(text, text.length), text).toBeNull();
});

it('lists the replies whose names have every word, in any case and order', () => {
  const replies = ['Greeting', 'Opening hours', 'Goodbye'].map((name) => ({
    id: name,
    name,
    text: '',
    language: null,
  }));
  const list = (words: string): readonly string[] =>
    findReplies(replies, { start: 0, end: 0, words }).map(({ name }) => name);
  expect(list('')).toEqual(['Greeting', 'Opening hours', 'Goodbye']);
  expect(list('HOURS open')).toEqual(['Opening hours']);
  expect(list('g')).toEqual(['Greeting', 'Opening hours', 'Goodbye']);
  expect(list('refund')).toEqual([]);
});
