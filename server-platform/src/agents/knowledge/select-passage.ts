import type { Article } from './article.ts';
import type { QueryConcept } from './read-query.ts';
import { tokenize } from './text/tokenize.ts';

interface Passage {
  readonly section: number;
  readonly heading: string | null;
  readonly text: string;
  readonly blockStems: ReadonlySet<string>;
  readonly headingStems: ReadonlySet<string>;
}

// Under a heading that names the thing asked, a paragraph need not repeat it.
const HEADING_SHARE = 0.8;

// The lead is written as the direct answer; another passage must fit clearly better to be shown instead.
const LEAD_ADVANTAGE = 0.2;

/**
 * The part of the article that answers the question, as Markdown: the lead, or the passage that is about the
 * particular thing asked, with what follows it in its section as long as that fits into `maxCharacters`. A single
 * passage is never cut.
 */
export function selectPassage(
  article: Article,
  concepts: readonly QueryConcept[],
  maxCharacters: number,
): string {
  const passages = readPassages(article);
  const lead = passages[0];
  if (lead === undefined) return '';
  const scores = scorePassages(passages, concepts, stemsOf(article.title));
  const scale = Math.max(1e-9, ...scores);
  const advantage = (position: number): number =>
    (scores[position] ?? 0) / scale + (position === 0 ? LEAD_ADVANTAGE : 0);
  let best = 0;
  for (let position = 1; position < passages.length; position += 1) {
    if (advantage(position) > advantage(best)) best = position;
  }
  return compose(passages, best, maxCharacters);
}

function readPassages(article: Article): readonly Passage[] {
  return article.sections.flatMap(({ heading, blocks }, section) => {
    const headingStems = stemsOf(heading ?? '');
    return blocks.map((text) => ({ section, heading, text, blockStems: stemsOf(text), headingStems }));
  });
}

const stemsOf = (text: string): ReadonlySet<string> => new Set(tokenize(text).map((token) => token.stem));

// What the title names, the whole article is about.
const TITLE_SHARE = 0.3;

/** A concept that stands in every passage tells them not apart; one that stands in a single passage decides. */
function scorePassages(
  passages: readonly Passage[],
  concepts: readonly QueryConcept[],
  titleStems: ReadonlySet<string>,
): readonly number[] {
  const scores = passages.map(() => 0);
  for (const { alternatives, importance, isFiller } of concepts) {
    if (isFiller) continue;
    const certainties = passages.map((passage) => {
      const inBlock = bestCertainty(alternatives, passage.blockStems);
      return Math.max(inBlock, HEADING_SHARE * bestCertainty(alternatives, passage.headingStems));
    });
    const holders = certainties.filter((certainty) => certainty > 0).length;
    const rarity = Math.log(1 + passages.length / Math.max(1, holders));
    const weight = importance * rarity * (1 - (1 - TITLE_SHARE) * bestCertainty(alternatives, titleStems));
    certainties.forEach((certainty, position) => {
      scores[position] = (scores[position] ?? 0) + certainty * weight;
    });
  }
  return scores;
}

function bestCertainty(alternatives: QueryConcept['alternatives'], stems: ReadonlySet<string>): number {
  return Math.max(0, ...alternatives.map(({ stem, certainty }) => (stems.has(stem) ? certainty : 0)));
}

function compose(passages: readonly Passage[], best: number, maxCharacters: number): string {
  const first = passages[best];
  if (first === undefined) return '';
  const parts = first.heading === null ? [first.text] : [`**${first.heading}**`, first.text];
  let length = parts.join('\n\n').length;
  for (const next of passages.slice(best + 1)) {
    length += next.text.length + 2;
    if (next.section !== first.section || length > maxCharacters) break;
    parts.push(next.text);
  }
  return parts.join('\n\n');
}
