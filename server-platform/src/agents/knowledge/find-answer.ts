import type { Article } from './article.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';
import type { Memory } from './memory.ts';
import { type RankedArticle, rankArticles } from './rank-articles.ts';
import { type QueryConcept, readQuery } from './read-query.ts';
import { foldText } from './text/tokenize.ts';

/**
 * What the articles say to a question. `confident`: answer. `likely`: answer, and say that it may not be what was
 * meant. `unknown`: there is no answer; `nearest` may be offered instead.
 */
export interface FoundAnswer {
  readonly certainty: 'confident' | 'likely' | 'unknown';
  readonly confidence: number;
  readonly article: Article | null;
  /** Other articles that come near, best first. */
  readonly nearest: readonly Article[];
  /** What the ranking was asked, for choosing the passage. */
  readonly concepts: readonly QueryConcept[];
  /** True when the question was read together with the one before. */
  readonly isFollowUp: boolean;
}

/*
 * Calibrated with the evaluation in `evaluation.test.ts`: below LIKELY nine of ten questions are about something else,
 * above CONFIDENT practically none.
 */
const CONFIDENT = 0.34;
const LIKELY = 0.3;
const NEAR = 0.2;

// What was asked before counts, but less than what is asked now.
const FOLLOWED_SHARE = 0.5;

const TOPIC_BONUS = 0.1;

const CONNECTOR =
  /^(?:and|or|but|also|then|what about|how about|what if|same|plus|ok(?:ay)? (?:and|but|what)|so what|is (?:it|that)|are they)\b/;
const POINTER = /\b(?:it|its|that|this|they|them|those|these|there|one|ones|same|instead)\b/;

/** Finds the answer to a question, in the light of what the conversation was about. */
export function findAnswer(index: KnowledgeIndex, text: string, memory: Memory): FoundAnswer {
  const concepts = readQuery(index, text);
  const alone = rankArticles(index, concepts);
  if (memory.topic === null) return toAnswer(alone, concepts, false);
  const together = [...concepts, ...fade(concepts, readQuery(index, memory.words))];
  const joint = favour(memory.topic, rankArticles(index, together));
  if (isElliptical(text, concepts)) {
    // "How much is it?" holds no word of its own: then the topic itself is meant.
    return toAnswer(joint, together, true);
  }
  const bestAlone = alone[0]?.confidence ?? 0;
  const staysOnTopic = joint[0]?.article.slug === memory.topic && alone.some(isArticle(memory.topic));
  return bestAlone < LIKELY && staysOnTopic && concepts.length <= 3
    ? toAnswer(joint, together, true)
    : toAnswer(alone, concepts, false);
}

/** Between articles that fit a follow-up alike, the conversation's own is meant. */
function favour(topic: string, ranked: readonly RankedArticle[]): readonly RankedArticle[] {
  return ranked
    .map((each) =>
      each.article.slug === topic ? { ...each, confidence: each.confidence + TOPIC_BONUS } : each,
    )
    .sort((one, other) => other.confidence - one.confidence);
}

const isArticle =
  (slug: string) =>
  ({ article }: RankedArticle): boolean =>
    article.slug === slug;

function fade(current: readonly QueryConcept[], followed: readonly QueryConcept[]): readonly QueryConcept[] {
  const said = new Set(current.flatMap(({ alternatives }) => alternatives.map(({ stem }) => stem)));
  return followed
    .filter(({ alternatives }) => !said.has(alternatives[0]?.stem ?? ''))
    .map((concept) => ({ ...concept, importance: concept.importance * FOLLOWED_SHARE }));
}

function isElliptical(text: string, concepts: readonly QueryConcept[]): boolean {
  const words = foldText(text).replaceAll("'", '').trim();
  const weighty = concepts.filter(({ importance }) => importance > 0).length;
  if (CONNECTOR.test(words)) return weighty <= 4;
  return weighty <= 2 && POINTER.test(words);
}

function toAnswer(
  ranked: readonly RankedArticle[],
  concepts: readonly QueryConcept[],
  isFollowUp: boolean,
): FoundAnswer {
  const [best, ...others] = ranked;
  const confidence = best?.confidence ?? 0;
  const certainty = confidence >= CONFIDENT ? 'confident' : confidence >= LIKELY ? 'likely' : 'unknown';
  const near = (certainty === 'unknown' ? ranked : others).filter((each) => each.confidence >= NEAR);
  return {
    certainty,
    confidence,
    article: certainty === 'unknown' ? null : (best?.article ?? null),
    nearest: near.slice(0, 3).map(({ article }) => article),
    concepts,
    isFollowUp,
  };
}
