import { readPassages, scorePassages, stemsOf } from './excerpts/select-passage.ts';
import { findAnswer } from './find-answer.ts';
import { readMemory } from './memory.ts';
import type { KnowledgeIndex } from './passages/knowledge-index.ts';
import { rankArticles } from './passages/rank-articles.ts';
import { readQuery } from './question/read-query.ts';

/** The ranking of the articles for a question. */
export interface Explanation {
  readonly certainty: 'confident' | 'unknown';
  /** The nearest articles, best first. */
  readonly articles: readonly {
    readonly slug: string;
    readonly title: string;
    /** 0 to 1. */
    readonly confidence: number;
  }[];
  /** Passages of the best article, the nearest first. */
  readonly passages: readonly {
    readonly heading: string | null;
    readonly text: string;
    /** How well it matches the question, 0 to 1. */
    readonly score: number;
  }[];
}

const MAX_ARTICLES = 5;
const MAX_PASSAGES = 5;

/** Explains how the ranking judges a question, given the agent's memory before it. */
export function explainAnswer(
  index: KnowledgeIndex,
  question: string,
  state: Readonly<Record<string, unknown>>,
): Explanation {
  const { certainty, confidence, article, concepts } = findAnswer(index, question, readMemory(state));
  const ranked = rankArticles(index, readQuery(index, question)).filter((each) => each.article !== article);
  const nearest = article === null ? ranked : [{ article, confidence }, ...ranked];
  const shown = nearest.slice(0, MAX_ARTICLES).filter((each) => each.confidence > 0);
  const best = shown[0]?.article;
  const passages = best === undefined ? [] : readPassages(best);
  const scores =
    best === undefined
      ? []
      : scorePassages(passages, concepts, stemsOf(best.title, best.language), index.slots);
  return {
    certainty,
    articles: shown.map((each) => ({
      slug: each.article.slug,
      title: each.article.title,
      confidence: each.confidence,
    })),
    passages: passages
      .map(({ heading, text }, position) => ({ heading, text, score: scores[position] ?? 0 }))
      .sort((one, other) => other.score - one.score)
      .slice(0, MAX_PASSAGES),
  };
}
