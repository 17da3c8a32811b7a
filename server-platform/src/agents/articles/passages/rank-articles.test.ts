import { expect, it } from 'vitest';
import { readQuery } from '../question/read-query.ts';
import { createKnowledgeIndex } from './knowledge-index.ts';
import { parseArticle } from './parse-article.ts';
import { rankArticles } from './rank-articles.ts';

const ARTICLES: Readonly<Record<string, string>> = {
  'What membership costs': 'Members pay £30 a month.',
  Rooms: 'A room is free for members, and £9 an hour for a charity.',
  Storage: 'A shelf holds one crate.',
};

const index = createKnowledgeIndex(
  Object.entries(ARTICLES).map(([title, body]) => {
    const parsed = parseArticle(title, `---\ntitle: ${title}\n---\n${body}`);
    return parsed.kind === 'invalid' ? expect.fail(parsed.problem) : parsed.article;
  }),
);

it('takes the price that a title announces for no topic that the articles with other prices lack', () => {
  const [best] = rankArticles(index, readQuery(index, 'the cost for a charity for an hour'));
  expect(best?.article.title).toBe('Rooms');
});
