import type { Article } from '../passages/article.ts';
import { holdsTimes, PRICE_FIGURE } from '../passages/figure-words.ts';
import { AGE_STEM, LIST_STEM, type QueryConcept, WHEN_STEM } from '../question/read-query.ts';
import { coversAge } from '../text/age.ts';
import type { Slots } from '../text/slots.ts';
import { stem } from '../text/stem.ts';
import { tokenize } from '../text/tokenize.ts';

/** A piece of an article that may be shown. */
export interface Passage {
  readonly section: number;
  readonly heading: string | null;
  /** Whether the passage begins its section: its heading is directly above it. */
  readonly isFirst: boolean;
  readonly text: string;
  readonly blockStems: ReadonlySet<string>;
  readonly headingStems: ReadonlySet<string>;
}

// Under a heading that names the thing asked, a paragraph need not repeat it.
const HEADING_SHARE = 0.8;

// The lead is written as the direct answer; another passage must fit much better to stand before it.
const LEAD_ADVANTAGE = 0.3;

// A lead and a passage together may be this much longer than an answer should be.
const PAIR_SHARE = 1.5;

/**
 * The parts of the article that answer the question, as Markdown: the lead first, with what follows it as long as that fits
 * into `maxCharacters`, then the passage that is about the particular thing asked; a passage that fits much better goes
 * before the lead. A single passage is never cut. Texts that are shown already are left out.
 */
export function selectPassage(
  article: Article,
  concepts: readonly QueryConcept[],
  maxCharacters: number,
  slots: Slots,
  isShown: (text: string) => boolean = () => false,
): string {
  const passages = readPassages(article).filter(({ text }) => !isShown(text));
  if (passages.length === 0) return '';
  const scores = scorePassages(passages, concepts, stemsOf(article.title, article.language), slots);
  const others = scores.slice(1);
  const best = Math.max(0, ...others) === 0 ? 0 : others.indexOf(Math.max(...others)) + 1;
  if (best === 0) return compose(passages, 0, maxCharacters);
  const wanted = passages[best]?.text ?? '';
  const most = maxCharacters * PAIR_SHARE;
  const lead = passages[0]?.text ?? '';
  if ((scores[best] ?? 0) > (scores[0] ?? 0) + LEAD_ADVANTAGE)
    return withNext(compose(passages, best, maxCharacters), passages, 0, most);
  // The requested passage is in the answer, however long the rest is.
  const whole = withNext(compose(passages, 0, maxCharacters), passages, best, most);
  if (whole.includes(wanted)) return whole;
  const short = withNext(lead, passages, best, most);
  return short.includes(wanted) ? short : `${lead}\n\n${wanted}`;
}

/**
 * Adds another passage, unless it is there already or the text becomes too long: with its heading and what leads up to it in
 * its section, or alone. A heading never stands over a paragraph that does not follow it in the article.
 */
function withNext(
  text: string,
  passages: readonly Passage[],
  position: number,
  maxCharacters: number,
): string {
  const next = passages[position];
  if (next === undefined || text.includes(next.text)) return text;
  const start = passages.findIndex(({ section }) => section === next.section);
  const leading = passages.slice(start, position + 1).filter((each) => !text.includes(each.text));
  const isWhole = leading.length === position + 1 - start && passages[start]?.isFirst === true;
  const heading = isWhole && next.heading !== null ? `**${next.heading}**\n\n` : '';
  for (const added of [`${heading}${join(leading)}`, next.isFirst ? `${heading}${next.text}` : next.text]) {
    const longer = `${text}\n\n${added}`;
    if (longer.length <= maxCharacters) return longer;
  }
  return text;
}

/** The pieces of an article, in their order. */
export function readPassages(article: Article): readonly Passage[] {
  return article.sections.flatMap(({ heading, blocks }, section) => {
    const headingStems = stemsOf(heading ?? '', article.language);
    return blocks.map((text, block) => ({
      ...{ section, heading, text, headingStems },
      ...{ isFirst: block === 0, blockStems: stemsOf(text, article.language) },
    }));
  });
}

/** The stems of a text. */
export const stemsOf = (text: string, language?: string): ReadonlySet<string> =>
  new Set(tokenize(text, language).map((token) => token.stem));

// The whole article is about the subject of its title. A title that announces prices or times does not hold them.
const TITLE_SHARE = 0.25;

// Among articles an everyday word says little; within one, "It doesn't work" is where "it isn't working" is answered.
const FILLER_WEIGHT = 2;

/**
 * Share of the question that each passage contains, 0 to 1. A concept that is in every passage counts little, one that is
 * in a single passage counts most.
 */
export function scorePassages(
  passages: readonly Passage[],
  concepts: readonly QueryConcept[],
  titleStems: ReadonlySet<string>,
  slots: Slots,
): readonly number[] {
  const scores = passages.map(() => 0);
  const most = Math.max(0, ...concepts.map(({ importance, isFiller }) => (isFiller ? 0 : importance)));
  const mostRarity = Math.log(1 + passages.length);
  const total = concepts.reduce(
    (sum, { importance, isFiller }) => sum + importance * (isFiller ? FILLER_WEIGHT : 1) * mostRarity,
    0,
  );
  if (total === 0) return scores;
  for (const { alternatives, importance, isFiller } of concepts) {
    const asked = alternatives[0]?.stem ?? '';
    const certainties = passages.map((passage) => {
      const inBlock = bestCertainty(alternatives, passage.blockStems);
      const inHeading = HEADING_SHARE * bestCertainty(alternatives, passage.headingStems);
      return Math.max(inBlock, inHeading, figureCertainty(asked, passage.text));
    });
    const holders = certainties.filter((certainty) => certainty > 0).length;
    const rarity = Math.log(1 + passages.length / Math.max(1, holders));
    const inTitle = isFigure(asked) ? 0 : bestCertainty(alternatives, titleStems);
    // Prices and times hardly distinguish articles, but the passage must hold them.
    const matters = isFigure(asked) ? most : importance * (isFiller ? FILLER_WEIGHT : 1);
    const weight = matters * rarity * (1 - (1 - TITLE_SHARE) * inTitle);
    certainties.forEach((certainty, position) => {
      scores[position] = (scores[position] ?? 0) + (certainty * weight) / total;
    });
  }
  const asked = concepts.flatMap(({ alternatives }) => alternatives.map(({ stem: each }) => each));
  return scores.map((score, position) => {
    const { blockStems, headingStems } = passages[position] as Passage;
    const isNamedInBlock = asked.some((each) => blockStems.has(each));
    const isOther =
      slots.isAboutOther(blockStems, asked) || (!isNamedInBlock && slots.isAboutOther(headingStems, asked));
    return isOther ? score * OTHER_SHARE : score;
  });
}

// A paragraph about another route, vehicle or person than the one asked for.
const OTHER_SHARE = 0.6;

const DURATION =
  /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|ten|twelve))\s?(?:(?:working|calendar) )?(?:minutes?|mins?|hours?|days?|weeks?|months?|years?)\b/;

const PHONE = /\b\d{4,5} \d{6}\b|\+\d{2} ?\d/;

// Questions name a kind of figure, but the text has the figure itself: an amount for a price, hours and minutes for a time.
const FIGURES: readonly {
  readonly stems: ReadonlySet<string>;
  readonly isIn: (text: string) => boolean;
}[] = [
  {
    stems: new Set(['price', 'cost', 'fare', 'fee', 'pay', 'cheap', 'expensive'].map(stem)),
    isIn: (text) => PRICE_FIGURE.test(text),
  },
  {
    stems: new Set(['timetable', 'time', 'hours', 'opening', 'open', 'closed'].map(stem)),
    isIn: holdsTimes,
  },
  { stems: new Set([stem('duration')]), isIn: (text) => DURATION.test(text) },
  { stems: new Set([stem('phone')]), isIn: (text) => PHONE.test(text) },
];

/** "When" is answered by a time of day, a day, a date or a span of time. */
export const WHEN =
  /\b\d{1,2}(?::\d{2}| ?[ap]m)\b|\b\d+ (?:working |calendar )?(?:minutes|hours|days|weeks|months|years)\b|\b(?:one|two|three|four|five|six|seven|nine|ten|twelve) (?:working )?(?:minutes|hours|days|weeks|months|years)\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/;
const LIST = /^[ \t]{0,3}[-*] /m;
const WHEN_CERTAINTY = 0.5;

const FIGURE_CERTAINTY = 0.7;

const isFigure = (asked: string): boolean =>
  asked.startsWith(AGE_STEM) ||
  asked === WHEN_STEM ||
  asked === LIST_STEM ||
  FIGURES.some(({ stems }) => stems.has(asked));

function figureCertainty(asked: string, text: string): number {
  if (asked.startsWith(AGE_STEM)) return coversAge(text, Number(asked.slice(AGE_STEM.length))) ? 1 : 0;
  if (asked === LIST_STEM) return LIST.test(text) ? WHEN_CERTAINTY : 0;
  if (asked === WHEN_STEM) return WHEN.test(text) ? WHEN_CERTAINTY : 0;
  return FIGURES.some(({ stems, isIn }) => stems.has(asked) && isIn(text)) ? FIGURE_CERTAINTY : 0;
}

function bestCertainty(alternatives: QueryConcept['alternatives'], stems: ReadonlySet<string>): number {
  return Math.max(0, ...alternatives.map(({ stem: each, certainty }) => (stems.has(each) ? certainty : 0)));
}

function compose(passages: readonly Passage[], best: number, maxCharacters: number): string {
  const wanted = passages[best];
  if (wanted === undefined) return '';
  // When it fits, what stands before the passage in its section leads up to it.
  const start = passages.findIndex(({ section }) => section === wanted.section);
  const before = passages.slice(start, best + 1);
  const first = join(before).length <= maxCharacters ? before : [wanted];
  const [head] = first;
  const isHeaded = head !== undefined && head.heading !== null && head.isFirst;
  let text = isHeaded ? `**${head.heading}**\n\n${join(first)}` : join(first);
  for (const next of passages.slice(best + 1)) {
    const longer = `${text}\n\n${next.text}`;
    if (next.section !== wanted.section || longer.length > maxCharacters) break;
    text = longer;
  }
  return text;
}

const join = (passages: readonly Passage[]): string => passages.map(({ text }) => text).join('\n\n');
