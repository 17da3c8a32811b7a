import type { Article } from './article.ts';
import type { QueryConcept } from './read-query.ts';
import { type Passage, scorePassages, stemsOf } from './select-passage.ts';

const MAX_FACTS = 4;

// A fact that fits this much worse than the best one is about something else.
const NEAR_BEST = 0.7;

/**
 * The sentences, list items and table rows of an article that fit the question best, in their order: the answer to a
 * question whose paragraph has been read already.
 */
export function selectFacts(article: Article, concepts: readonly QueryConcept[]): readonly string[] {
  const facts = article.sections.flatMap(({ heading, blocks }, section) =>
    blocks.flatMap((block) => factsOf(block).map((text) => toPassage(text, heading, section))),
  );
  const scores = scorePassages(facts, concepts, stemsOf(article.title));
  const best = Math.max(0, ...scores);
  if (best === 0) return [];
  return facts
    .map(({ text }, position) => ({ text, position, score: scores[position] ?? 0 }))
    .filter(({ score }) => score >= best * NEAR_BEST)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FACTS)
    .sort((one, other) => one.position - other.position)
    .map(({ text }) => text);
}

const toPassage = (text: string, heading: string | null, section: number): Passage => ({
  section,
  heading,
  text,
  blockStems: stemsOf(text),
  headingStems: stemsOf(heading ?? ''),
});

function factsOf(block: string): readonly string[] {
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  if (lines[0]?.startsWith('|') === true) return rowsOf(lines);
  return lines.flatMap((line) =>
    /^\s*(?:[-*+]|\d+[.)])\s/.test(line)
      ? [line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')]
      : line.split(/(?<=[a-z\d)][.!?])\s+(?=[A-Z£])/),
  );
}

const cellsOf = (row: string): readonly string[] =>
  row
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim());

/** Each row of a table as a line that needs no header: "Port Hallan – Mewsay: Single £38.00, Return £68.40". */
function rowsOf(lines: readonly string[]): readonly string[] {
  const [, ...headers] = cellsOf(lines[0] ?? '');
  return lines.slice(2).map((line) => {
    const [name = '', ...cells] = cellsOf(line);
    return `${name}: ${cells.map((cell, column) => `${headers[column] ?? ''} ${cell}`.trim()).join(', ')}`;
  });
}
