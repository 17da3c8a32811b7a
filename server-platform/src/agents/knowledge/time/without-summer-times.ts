import type { Article } from '../article.ts';
import type { KnowledgeIndex } from '../knowledge-index.ts';
import type { Sailings } from './sailings.ts';

/**
 * The knowledge base for the winter: articles about routes have no table of the summer's departures. The sentences of
 * that section are kept: they tell how the winter differs.
 */
export function withoutSummerTimes(index: KnowledgeIndex, sailings: Sailings): KnowledgeIndex {
  const routes = new Set(sailings.directions.map(({ article }) => article));
  return {
    ...index,
    articles: index.articles.map((article) => (routes.has(article.slug) ? withoutTables(article) : article)),
  };
}

const withoutTables = (article: Article): Article => ({
  ...article,
  sections: article.sections.map((section) =>
    /\bsummer\b/i.test(section.heading ?? '')
      ? { heading: null, blocks: section.blocks.filter((block) => !block.startsWith('|')) }
      : section,
  ),
});
