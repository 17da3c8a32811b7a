import { expect, it } from 'vitest';
import { readList, toSlug } from './drafts.ts';

it('a title becomes the name of an article', () => {
  expect(toSlug('Can I bring my e-scooter?')).toBe('can-i-bring-my-e-scooter');
  expect(toSlug("  What's new – in Åland & a Café? ")).toBe('whats-new-in-aland-a-cafe');
  expect(toSlug('料金')).toBe('');
  expect(toSlug(`${'long '.repeat(30)}`)).toMatch(/^(?:long-)+long$/);
});

it('lists are read from lines and from commas', () => {
  expect(readList('one\n\n two \n', '\n')).toEqual(['one', 'two']);
  expect(readList('a, b,,c', ',')).toEqual(['a', 'b', 'c']);
});
