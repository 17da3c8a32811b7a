import type { Article } from '../passages/article.ts';
import type { QueryConcept } from '../question/read-query.ts';
import { cellsOf } from '../text/cells-of.ts';
import type { Slots } from '../text/slots.ts';
import { foldText } from '../text/tokenize.ts';
import { type Passage, scorePassages, stemsOf } from './select-passage.ts';

const MAX_FACTS = 4;

// A fact that fits this much worse than the best one is about something else.
const NEAR_BEST = 0.7;

// For a row or an item that begins with the place or vehicle asked for: "Mill Road: Address ..., Open ...".
const NAMED_FIRST = 1.5;

/**
 * The sentences, list items and table rows of an article that fit the question best, in their order: the answer to a
 * question whose paragraph has been read already.
 */
export function selectFacts(
  article: Article,
  concepts: readonly QueryConcept[],
  slots: Slots,
): readonly string[] {
  const facts = article.sections.flatMap(({ heading, blocks }, section) =>
    blocks.flatMap((block) =>
      factsOf(block).map((text) => toPassage(text, heading, section, article.language)),
    ),
  );
  const titleStems = stemsOf(article.title, article.language);
  const asked = concepts
    .map(({ alternatives }) => alternatives[0]?.stem ?? '')
    .filter((each) => !titleStems.has(each) && slots.isOnlySlots([each]));
  const scores = scorePassages(facts, concepts, titleStems, slots).map((score, position) =>
    beginsWithSlot(facts[position]?.text ?? '', asked) ? score * NAMED_FIRST : score,
  );
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

function beginsWithSlot(fact: string, asked: readonly string[]): boolean {
  // "For Farholm we accept" is about the things accepted, not about Farholm.
  if (/^(?:For|To|From|At|On|In|With)\b/.test(fact)) return false;
  const name = stemsOf(fact.slice(0, NAME_CHARACTERS).split(/[:,.]/, 1)[0] ?? '');
  return asked.some((each) => name.has(each));
}
const NAME_CHARACTERS = 30;

const toPassage = (text: string, heading: string | null, section: number, language?: string): Passage => ({
  section,
  heading,
  isFirst: false,
  text,
  blockStems: stemsOf(text, language),
  headingStems: stemsOf(heading ?? '', language),
});

function factsOf(block: string): readonly string[] {
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  if (lines[0]?.startsWith('|') === true) return rowsOf(lines);
  // A sentence that announces a list says nothing without it.
  if (lines[0]?.endsWith(':') === true && lines.length > 1) return [block.replace(/\n{2,}/g, '\n')];
  return lines.flatMap((line) =>
    /^\s*(?:[-*+]|\d+[.)])\s/.test(line)
      ? [line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')]
      : line.split(/(?<=[a-z\d)][.!?])\s+(?=[A-Z£])/),
  );
}

/** The column of a table that a message names by its header, such as "by day" or "return": each row with its cell. */
export function selectColumn(article: Article, text: string): readonly string[] {
  const said = ` ${foldText(text.slice(0, MAX_CHARACTERS)).replace(/[^a-z0-9]+/g, ' ')} `;
  const blocks = article.sections
    .flatMap((section) => section.blocks)
    .filter((block) => block.startsWith('|'));
  for (const block of blocks) {
    const [header = '', , ...rows] = block.split('\n');
    const names = cellsOf(header);
    const column = names.findIndex((name, each) => each > 0 && said.includes(` ${foldText(name)} `));
    if (column > 0) return rows.map((row) => `${cellsOf(row)[0]}: ${names[column]} ${cellsOf(row)[column]}`);
  }
  return [];
}
const MAX_CHARACTERS = 100;

/** Each row of a table as a line that needs no header: "Port Hallan – Mewsay: Single £38.00, Return £68.40". */
function rowsOf(lines: readonly string[]): readonly string[] {
  const [, ...headers] = cellsOf(lines[0] ?? '');
  return lines.slice(2).map((line) => {
    const [name = '', ...cells] = cellsOf(line);
    return `${name}: ${cells.map((cell, column) => `${headers[column] ?? ''} ${cell}`.trim()).join(', ')}`;
  });
}
