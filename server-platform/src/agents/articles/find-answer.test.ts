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

const index = createKnowledgeIndex(
  Object.entries(ARTICLES).map(([slug, source]) => {
    const parsed = parseArticle(slug, source);
    return parsed.kind === 'invalid' ? expect.fail(parsed.problem) : parsed.article;
  }),
);

it.each([
  ['and for dvds?', 'fines'],
  ['and the reading room?', 'room'],
  ['do you lend dvds?', 'loans'],
])('answers "%s" after the fine for a book from %s', (text, slug) => {
  const memory = { ...readMemory({}), topic: 'fines', words: 'what is the fine for a book' };
  expect(findAnswer(index, text, memory).article?.slug).toBe(slug);
});
