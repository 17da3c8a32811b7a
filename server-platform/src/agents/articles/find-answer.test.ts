import { expect, it } from 'vitest';
import { findAnswer } from './find-answer.ts';
import { readMemory } from './memory.ts';
import { createKnowledgeIndex } from './passages/knowledge-index.ts';
import { parseArticle } from './passages/parse-article.ts';

const ARTICLES: Readonly<Record<string, string>> = {
  fines: `---
title: Late fees
questions: [What is the fine for a book?]
---
| Item | A day |
| --- | --- |
| Book | £0.20 |
| DVD | £0.80 |`,
  loans: `---
title: Books and DVDs
keywords: [loan, DVD]
questions: [How long can I keep a DVD?, Do you lend DVDs?]
---
You can keep a book for four weeks and a DVD for one.`,
  room: `---
title: Reading room
questions: [Is there a reading room?]
---
The reading room is on the second floor.`,
};

const indexOf = (articles: Readonly<Record<string, string>>) =>
  createKnowledgeIndex(
    Object.entries(articles).map(([slug, source]) => {
      const parsed = parseArticle(slug, source);
      return parsed.kind === 'invalid' ? expect.fail(parsed.problem) : parsed.article;
    }),
  );
const index = indexOf(ARTICLES);

it.each([
  ['and for dvds?', 'fines'],
  ['and the reading room?', 'room'],
  ['do you lend dvds?', 'loans'],
])('answers "%s" after the fine for a book from %s', (text, slug) => {
  const memory = { ...readMemory({}), topic: 'fines', words: 'what is the fine for a book' };
  expect(findAnswer(index, text, memory).article?.slug).toBe(slug);
});

const PLACES = indexOf({
  prices: `---
title: Prices
questions: [What does a room cost?]
---
| Size | Harbour Street | Wexcombe |
| --- | --- | --- |
| Small room | £20 | £15 |`,
  hours: `---
title: Opening hours
questions: [When is the desk open?]
---
| Place | Open |
| --- | --- |
| Harbour Street | 9 to 5 |
| Wexcombe | 10 to 4 |`,
  lifts: `---
title: Lifts
questions: [Is there a lift?]
---
| Place | Lift |
| --- | --- |
| Harbour Street | yes |
| Wexcombe | no |`,
  late: `---
title: Paying late
questions: [What happens if I pay late?]
---
After ten days we block your code for the door.`,
  codes: `---
title: Your door code
questions: [How do I change my code?]
---
You choose a code when you move in.`,
  changes: `---
title: Changes
questions: [Can I change my booking?]
---
You can move to another date for £2.`,
});

it.each([
  ['and wexcombe?', 'prices', 'how much is a small room at harbour street'],
  ['when does my code get blocked', 'late', 'what happens if i pay late'],
  ['how do i change my code', 'codes', 'what happens if i pay late'],
  ['and is there a lift?', 'lifts', 'how much is a small room at harbour street'],
])('answers "%s" from %s after "%s"', (text, slug, words) => {
  const topic = findAnswer(PLACES, words, readMemory({})).article?.slug ?? null;
  expect(findAnswer(PLACES, text, { ...readMemory({}), topic, words }).article?.slug).toBe(slug);
});

it('has no answer about the dates of what it does not know', () => {
  const memory = { ...readMemory({}), misses: 1, missed: 'which pantomime is it this year' };
  expect(findAnswer(PLACES, 'what dates', memory).certainty).toBe('unknown');
});
