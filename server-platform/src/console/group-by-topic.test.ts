import { expect, it } from 'vitest';
import { groupByTopic } from './group-by-topic.ts';

it('groups questions by the word that most of them share, each question once', () => {
  const ask = (...texts: readonly string[]) =>
    texts.map((question, index) => ({ question, id: `C${index}` }));
  const topics = groupByTopic(
    ask('Do you sell parking?', 'Is parking free?', 'What about parking for bicycles?', 'Bicycles?', 'Why?'),
  );
  expect(topics.map(({ word, count }) => [word, count])).toEqual([
    ['parking', 3],
    ['bicycles', 1],
  ]);
  expect(topics[1]?.questions).toEqual([{ question: 'Bicycles?', id: 'C3' }]);
  expect(groupByTopic([])).toEqual([]);
});
