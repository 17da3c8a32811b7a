import type { QueryConcept } from '../question/read-query.ts';
import type { Article } from './article.ts';
import { HOURS_STEM, PRICE_STEM } from './figure-words.ts';
import { type IndexedQuestion, type KnowledgeIndex, pairsOf } from './knowledge-index.ts';

/** An article that may hold the answer. */
export interface RankedArticle {
  readonly article: Article;
  /** How well the article fits the question, 0 to 1. Comparable between queries. */
  readonly confidence: number;
}

/*
 * Coverage is the part of the question that the article is about. Likeness to one of its questions breaks ties between
 * articles that share a vocabulary ("cancel a booking", "cancelled event"); neighbouring words do the same for
 * names of two words ("Day Saver"). The shares add up to 1 for a perfect match.
 */
const COVERAGE_SHARE = 0.62;
const LIKENESS_SHARE = 0.26;
const PHRASE_SHARE = 0.12;

// An article that only mentions a thing in its body is rarely about it.
const BODY_SHARE = 0.6;

// The part of a match that depends on the exact form of the word.
const EXACT_SHARE = 0.12;

/**
 * The articles that share a word with the query, best first; equal ones in the order of the knowledge base. Pure: the
 * same index and concepts always give the same ranking.
 *
 * @example
 * rankArticles(index, readQuery(index, 'can i bring my dog'))[0]?.article.slug;
 */
export function rankArticles(
  index: KnowledgeIndex,
  concepts: readonly QueryConcept[],
): readonly RankedArticle[] {
  const total = concepts.reduce((sum, concept) => sum + concept.importance, 0);
  if (total === 0) return [];
  const coverage = coverageOf(index, concepts, total);
  const phrase = phraseOf(index, concepts);
  const likeness = likenessOf(index, concepts, total, nearestOf(coverage));
  return [...coverage]
    .map(([position, covered]) => ({
      position,
      confidence:
        (COVERAGE_SHARE * covered +
          LIKENESS_SHARE * (likeness.get(position) ?? 0) +
          PHRASE_SHARE * (phrase.get(position) ?? 0)) *
        shareLeft(index, concepts, position),
    }))
    .sort((one, other) => other.confidence - one.confidence || one.position - other.position)
    .flatMap(({ position, confidence }) => {
      const article = index.articles[position];
      return article === undefined ? [] : [{ article, confidence }];
    });
}

// "Where do I pick up my tickets" is not about lost property, although that is picked up: tickets have separate articles.
const OTHER_TOPIC_SHARE = 0.75;
// An article without a price answers no question about one.
const NO_FIGURE_SHARE = 0.6;

/** Factor below 1 for an article without a requested figure, or about another topic than the one that the question names. */
function shareLeft(index: KnowledgeIndex, concepts: readonly QueryConcept[], article: number): number {
  let left = 1;
  for (const { alternatives, isFiller, importance } of concepts) {
    const isIn = (places: KnowledgeIndex['prominent'] | KnowledgeIndex['postings']): boolean =>
      alternatives.some(({ stem }) => places.get(stem)?.has(article) === true);
    const isFigure = alternatives.some(({ stem }) => stem === PRICE_STEM || stem === HOURS_STEM);
    if (isFigure && !isIn(index.postings)) return NO_FIGURE_SHARE;
    const isTopic = !isFiller && importance > 0 && index.titled.has(alternatives[0]?.stem ?? '');
    if (isTopic && !isFigure && !isIn(index.prominent)) left = OTHER_TOPIC_SHARE;
  }
  return left;
}

function coverageOf(
  index: KnowledgeIndex,
  concepts: readonly QueryConcept[],
  total: number,
): ReadonlyMap<number, number> {
  const result = new Map<number, number>();
  for (const concept of concepts) {
    const strengths = new Map<number, number>();
    for (const { stem, certainty } of concept.alternatives) {
      for (const [article, strength] of index.postings.get(stem) ?? []) {
        const share = index.prominent.get(stem)?.has(article) === true ? 1 : BODY_SHARE;
        strengths.set(article, Math.max(strengths.get(article) ?? 0, certainty * strength * share));
      }
    }
    if (concept.surface !== null && strengths.size > 0) {
      const exact = index.exactPostings.get(concept.surface);
      for (const [article, strength] of strengths) {
        strengths.set(article, strength * (1 - EXACT_SHARE) + (exact?.get(article) ?? 0) * EXACT_SHARE);
      }
    }
    for (const [article, strength] of strengths) {
      result.set(article, (result.get(article) ?? 0) + (strength * concept.importance) / total);
    }
  }
  return result;
}

// Of thousands of articles, only those that hold most of the question are read passage by passage.
const MAX_NEAR = 200;

const nearestOf = (coverage: ReadonlyMap<number, number>): ReadonlySet<number> =>
  new Set(
    [...coverage]
      .sort(([, one], [, other]) => other - one)
      .slice(0, MAX_NEAR)
      .map(([article]) => article),
  );

/** Share of the query's neighbouring word pairs that stand together in the article. */
function phraseOf(index: KnowledgeIndex, concepts: readonly QueryConcept[]): ReadonlyMap<number, number> {
  const result = new Map<number, number>();
  const pairs = pairsOf(concepts.map((concept) => concept.alternatives[0]?.stem ?? ''));
  for (const pair of pairs) {
    for (const [article, strength] of index.pairs.get(pair) ?? []) {
      result.set(article, (result.get(article) ?? 0) + strength / pairs.length);
    }
  }
  return result;
}

// The share of a query that a passage holds is raised to this power, so that half of it counts for a quarter or less: a
// passage about hiring bicycles holds half of "hire skis". In an article that lists questions, which say more than its
// passages do, only a passage that holds nearly all of the query counts.
const PLAIN_POWER = 2;
const LISTED_POWER = 4;

// When a listed question is at least this similar to the query, the passages of articles that list questions are ignored.
const LIKE_A_QUESTION = 0.35;

/**
 * Shared importance over joint importance with the article's most similar question. Where the query is like no question
 * of the article, or of any, the share of the query that stands together in one of its passages.
 */
function likenessOf(
  index: KnowledgeIndex,
  concepts: readonly QueryConcept[],
  total: number,
  near: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const result = new Map<number, number>();
  for (const { article, similarity } of similarQuestions(index, concepts, total, near))
    if (similarity > (result.get(article) ?? 0)) result.set(article, similarity);
  const isAsked = Math.max(0, ...result.values()) >= LIKE_A_QUESTION;
  for (const { article, stems } of index.passages) {
    if (!near.has(article)) continue;
    const isListed = index.articles[article]?.questions.length !== 0;
    if (isListed && isAsked) continue;
    const shared = concepts.map(({ alternatives, importance, isFiller }) => {
      const certainty = certaintyIn(stems, alternatives);
      return isListed && (isFiller || certainty < 1) ? 0 : importance * certainty;
    });
    // Everyday words occur in passages of all kinds.
    if (!concepts.some(({ isFiller }, at) => !isFiller && (shared[at] ?? 0) > 0)) continue;
    const share = shared.reduce((sum, each) => sum + each, 0) / total;
    result.set(article, Math.max(result.get(article) ?? 0, share ** (isListed ? LISTED_POWER : PLAIN_POWER)));
  }
  return result;
}

/** How surely one of the words that may be meant is among some stems. */
function certaintyIn(stems: ReadonlySet<string>, alternatives: QueryConcept['alternatives']): number {
  let best = 0;
  for (const { stem, certainty } of alternatives) if (certainty > best && stems.has(stem)) best = certainty;
  return best;
}

function* similarQuestions(
  index: KnowledgeIndex,
  concepts: readonly QueryConcept[],
  total: number,
  near: ReadonlySet<number>,
): Generator<IndexedQuestion & { readonly similarity: number }> {
  for (const question of index.questions) {
    if (!near.has(question.article)) continue;
    let shared = 0;
    for (const concept of concepts) {
      const certainty = certaintyIn(question.stems, concept.alternatives);
      // A stem brings "hire" and "hiring" together; the form said keeps them apart where it matters.
      const isInflected =
        certainty === 1 && concept.surface !== null && !question.surfaces.has(concept.surface);
      shared += (isInflected ? 1 - EXACT_SHARE : certainty) * concept.importance;
    }
    if (shared === 0) continue;
    yield { ...question, similarity: shared / Math.max(total + question.mass - shared, shared) };
  }
}
