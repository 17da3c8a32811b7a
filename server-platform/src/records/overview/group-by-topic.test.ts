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

it('takes no longer for many different words than for few', () => {
  const questions = Array.from({ length: 500 }, (_, index) => ({
    id: `C${index}`,
    question: Array.from(
      { length: 50 },
      (_, n) => `word${String.fromCharCode(97 + (index % 26), 97 + (n % 26))}`,
    )
      .map((word, n) => `${word}${'abcdefghij'[index % 10]}${'abcdefghij'[n % 10]}`)
      .join(' '),
  }));
  const startedAt = performance.now();
  expect(groupByTopic(questions)).toHaveLength(20);
  // Far above the normal duration, far below the minutes that recounting for each topic takes.
  expect(performance.now() - startedAt).toBeLessThan(500);
});
