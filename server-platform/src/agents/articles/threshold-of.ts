import type { KnowledgeIndex } from './passages/knowledge-index.ts';
import { rankArticles } from './passages/rank-articles.ts';
import { readQuery } from './question/read-query.ts';

// Enough for a stable median, few enough that publishing articles does not wait.
const MAX_QUESTIONS = 150;

// Fewer questions say little of a company.
const MIN_QUESTIONS = 20;

const UNCALIBRATED = 0.3;

// Measured with `npm run eval -- agent` for both demo companies: questions about other subjects score less than half of
// what questions about an article score. The bounds keep unusual articles from silencing the agent or letting it guess.
const MARGIN = 0.03;
const LOWEST = 0.24;
const HIGHEST = 0.38;

const calibrated = new WeakMap<KnowledgeIndex, number>();

/**
 * The confidence from which an article answers a question, in the words of this company. It is measured once per index by
 * the articles' own questions: each is asked, and the best article *other* than its own shows what score a wrong answer
 * reaches here. Articles that share much of their vocabulary therefore need a better match than articles that do not.
 */
export function thresholdOf(index: KnowledgeIndex): number {
  const steps = measureThreshold(index);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does the work of {@link thresholdOf} in steps of one question each, so that other work comes in between. */
export function* measureThreshold(index: KnowledgeIndex): Generator<undefined, number, undefined> {
  const known = calibrated.get(index);
  if (known !== undefined) return known;
  const all = index.articles.flatMap(({ slug, questions }) => questions.map((text) => ({ slug, text })));
  const step = Math.max(1, Math.ceil(all.length / MAX_QUESTIONS));
  const wrong: number[] = [];
  for (const { slug, text } of all.filter((_, position) => position % step === 0)) {
    const ranked = rankArticles(index, readQuery(index, text));
    wrong.push(ranked.find(({ article }) => article.slug !== slug)?.confidence ?? 0);
    yield;
  }
  wrong.sort((one, other) => one - other);
  const median = wrong[Math.floor(wrong.length / 2)] ?? 0;
  const threshold =
    wrong.length < MIN_QUESTIONS ? UNCALIBRATED : Math.min(HIGHEST, Math.max(LOWEST, median + MARGIN));
  calibrated.set(index, threshold);
  return threshold;
}
