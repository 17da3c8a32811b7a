import { expect, it } from 'vitest';
import { searchArticles } from './search-articles.ts';

const ARTICLES = [
  { title: 'Fares', body: 'A dog to Farholm is £10.\n\nChildren pay half.' },
  {
    title: 'Travelling with pets',
    body: '# Pets\n\nBring a lead.\n\n- **Dogs** travel [free](/help/fares) on deck.',
  },
  { title: 'Lost property', body: 'Write to us about umbrellas.' },
];
const titles = (query: string) => searchArticles(ARTICLES, query).map(({ article }) => article.title);

it('finds by most of the words, by beginnings and by other endings, titles first', () => {
  expect(titles('Can I bring my dog?')).toEqual(['Travelling with pets']);
  expect(titles('pet')).toEqual(['Travelling with pets']);
  expect(titles('dog')).toEqual(['Fares', 'Travelling with pets']);
  expect(titles('lost umbrella')).toEqual(['Lost property']);
  expect(titles('travel with pets')).toEqual(['Travelling with pets']);
});

it('finds nothing for common words, for none and for others', () => {
  for (const query of ['', ' ?!', 'can I do it', 'helicopter', 'b id']) expect(titles(query)).toEqual([]);
});

it('shows the sentence with the words, as text', () => {
  expect(searchArticles(ARTICLES, 'dogs deck')[0]?.excerpt).toBe('Dogs travel free on deck.');
});
