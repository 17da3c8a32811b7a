import { expect, it } from 'vitest';
import { ISLAND_ARTICLES } from '../../../../test/agents/island-articles.ts';
import { createKnowledgeIndex, type KnowledgeIndex } from '../passages/knowledge-index.ts';
import { stem } from '../text/stem.ts';
import { readQuery } from './read-query.ts';

const index = createKnowledgeIndex(ISLAND_ARTICLES);

it('splits no word that is longer than any two words of the articles', () => {
  let lookups = 0;
  class CountingMap extends Map<string, string> {
    override get(word: string): string | undefined {
      lookups += 1;
      return super.get(word);
    }
  }
  const counting = { ...index, surfaces: new CountingMap(index.surfaces) };
  readQuery(counting, 'x'.repeat(2_000));
  expect(lookups).toBeLessThan(10);
});

it('splits a word into two words of the articles', () => {
  const [first, second] = [...index.surfaces].filter(([word]) => word.length > 4);
  const [concept, other] = readQuery(index, `${first?.[0]}${second?.[0]}`);
  expect([concept?.alternatives[0]?.stem, other?.alternatives[0]?.stem]).toEqual([first?.[1], second?.[1]]);
});

it.each([
  ['prkng', 'parking'],
  ['bkng', 'booking'],
  ['lggg', 'luggage'],
  ['psspt', null],
  ['chckn', null],
])('reads "%s" as %s: a word written without its vowels', (written, word) => {
  const own = createKnowledgeIndex([
    {
      ...(ISLAND_ARTICLES[0] ?? expect.fail()),
      title: 'Parking, booking and luggage',
      keywords: ['passport', 'chicken'],
    },
  ]);
  const [concept] = readQuery(own, written);
  expect(concept?.alternatives[0]?.stem === own.surfaces.get(word ?? '')).toBe(word !== null);
});

it.each([
  ['seals', false],
  ['seets', true],
])('takes "%s" for a misspelt "seats": %s', (written, isCorrected) => {
  const own = createKnowledgeIndex([
    { ...(ISLAND_ARTICLES[0] ?? expect.fail()), title: 'Seats', keywords: [] },
  ]);
  const [concept] = readQuery(own, written);
  expect(concept?.alternatives[0]?.stem === own.surfaces.get('seats')).toBe(isCorrected);
});

const indexOf = (...titles: readonly string[]): KnowledgeIndex =>
  createKnowledgeIndex(
    titles.map((title) => ({ ...(ISLAND_ARTICLES[0] ?? expect.fail()), slug: title, title, keywords: [] })),
  );

const stemsIn = (own: KnowledgeIndex, text: string): readonly string[] =>
  readQuery(own, text).flatMap(({ alternatives, isFiller }) =>
    isFiller ? [] : (alternatives[0]?.stem ?? []),
  );

it('counts the price in "how much does it cost" once', () => {
  const own = indexOf('Prices', 'Costs of parking', 'Rooms');
  expect(stemsIn(own, 'how much does a room cost').toSorted()).toEqual(['cost', 'room']);
});

it.each([
  ['what if i am late', ['late']],
  ['can i pay later', ['pai']],
  ['how late are the rooms open', ['room', 'open', 'when=']],
])('reads "%s" as %j: "late" is a topic unless it asks for a time', (text, stems) => {
  expect(stemsIn(indexOf('Late fees', 'Rooms', 'What is open later', 'Payment'), text)).toEqual(stems);
});

it('looks for no article that says "much" when asked "how much"', () => {
  const surfaces = readQuery(indexOf('Much ado', 'Rooms'), 'how much is a room').map(
    ({ surface }) => surface,
  );
  expect(surfaces).not.toContain('much');
});

it('does not take the years of an age for a topic', () => {
  const own = indexOf('Old books', 'Years of the press', 'Members');
  const surfaces = readQuery(own, 'a 70 year old member').map(({ surface }) => surface);
  expect(surfaces.filter((each) => each === 'year' || each === 'old')).toEqual([]);
});

it.each(['are you open on good friday', 'xmas opening times', 'new years day hours'])(
  'reads "%s" as a question about holidays',
  (text) => {
    expect(stemsIn(indexOf('Opening hours', 'Bank holidays'), text)).toContain(stem('holiday'));
  },
);
