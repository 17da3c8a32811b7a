import { cellsOf } from '../text/cells-of.ts';
import { GENERIC_STEMS } from '../text/generic-stems.ts';
import { createSlots, type Slots } from '../text/slots.ts';
import { stem } from '../text/stem.ts';
import { FILLER_WORDS } from '../text/stop-words.ts';
import { createSynonyms, type SynonymsOf, synonymGroups } from '../text/synonyms.ts';
import { foldText, type Token, tokenize } from '../text/tokenize.ts';
import { type Alternative, widenStem } from '../text/widen-stem.ts';
import type { Article } from './article.ts';
import { figureWords } from './figure-words.ts';

/** Data that the ranking uses of one question (or title) that an article answers. */
export interface IndexedQuestion {
  readonly article: number;
  readonly stems: ReadonlySet<string>;
  readonly surfaces: ReadonlySet<string>;
  /** Summed importance of its stems. */
  readonly mass: number;
}

/** The stems of a block of an article, its heading and the article's title. */
export interface IndexedPassage {
  readonly article: number;
  readonly stems: ReadonlySet<string>;
}

/**
 * A knowledge base, prepared for ranking. Articles are known by their position. Made once by
 * {@link createKnowledgeIndex}; never changes.
 */
export interface KnowledgeIndex {
  readonly articles: readonly Article[];
  /** The language of all of them, as `en`. */
  readonly language: string;
  /** Stem to the articles that hold it, with how strongly each is about it: above 0, below 1. */
  readonly postings: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** As `postings`, for words exactly as they were written. */
  readonly exactPostings: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Stem to the articles that name it before their body: in the title, a keyword, a question or a heading. */
  readonly prominent: ReadonlyMap<string, ReadonlySet<number>>;
  /** Stems of the titles, without those that name no topic. */
  readonly titled: ReadonlySet<string>;
  /** Two neighbouring stems to the articles that hold the pair, with 1 for a prominent place and less for the body. */
  readonly pairs: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly questions: readonly IndexedQuestion[];
  readonly passages: readonly IndexedPassage[];
  /** Every word as written, and every word that may stand for one, to its stem: for spelling correction. */
  readonly surfaces: ReadonlyMap<string, string>;
  /** Length of the longest word in `surfaces`. */
  readonly maxSurfaceLength: number;
  /** Stems of everyday words, which weigh less. */
  readonly fillerStems: ReadonlySet<string>;
  readonly synonymsOf: SynonymsOf;
  readonly slots: Slots;
  /** The article that answers a question in these very words (`exactWords`). */
  readonly exact: ReadonlyMap<string, number>;
}

interface Field {
  readonly tokens: readonly Token[];
  readonly texts: readonly (readonly Token[])[];
}

/*
 * BM25F: a word counts by its field, long fields are toned down, and repetition saturates. Body text is
 * normalised fully (b 0.75); the short, curated fields barely, since more keywords do not mean less about each.
 */
const FIELDS = {
  title: { weight: 3, lengthShare: 0.3, pairStrength: 1 },
  keywords: { weight: 2.6, lengthShare: 0.2, pairStrength: 1 },
  questions: { weight: 1.6, lengthShare: 0.4, pairStrength: 1 },
  headings: { weight: 1.4, lengthShare: 0.3, pairStrength: 0.7 },
  category: { weight: 0.6, lengthShare: 0, pairStrength: 0.4 },
  body: { weight: 0.9, lengthShare: 0.75, pairStrength: 0.4 },
} as const;

type FieldName = keyof typeof FIELDS;

const FIELD_NAMES: readonly FieldName[] = ['title', 'keywords', 'questions', 'headings', 'category', 'body'];

const SATURATION = 1.2;

function readFields(article: Article): Record<FieldName, Field> {
  const field = (texts: readonly string[]): Field => {
    const tokenized = texts.map((text) => tokenize(text, article.language));
    return { tokens: tokenized.flat(), texts: tokenized };
  };
  return {
    title: field([article.title]),
    keywords: field(article.keywords),
    questions: field(article.questions),
    headings: field(
      article.sections.flatMap(({ heading, blocks }) => [heading ?? [], blocks.flatMap(rowNames)].flat()),
    ),
    category: field(article.category === null ? [] : [article.category]),
    body: field(
      article.sections.flatMap(({ blocks }) => blocks.flatMap((block) => [block, figureWords(block)])),
    ),
  };
}

/** Subjects of the rows of a table: their first cells. */
const rowNames = (block: string): readonly string[] =>
  block.startsWith('|')
    ? block
        .split('\n')
        .slice(2)
        .map((row) => cellsOf(row)[0] ?? '')
    : [];

const topicTokens = (tokens: readonly Token[]): readonly Token[] =>
  tokens.filter((token) => !token.isStopWord);

/** Words that mean the same, and words that exclude each other. */
interface KnowledgeWords {
  readonly synonyms?: readonly (readonly string[])[];
  readonly alternatives?: readonly (readonly string[])[];
}

/** Prepares articles for {@link rankArticles}. Takes well under a second for fifty articles. */
export function createKnowledgeIndex(
  articles: readonly Article[],
  words: KnowledgeWords = {},
): KnowledgeIndex {
  const steps = prepareKnowledgeIndex(articles, words);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

// Words of a step: a few milliseconds.
const WORDS_AT_ONCE = 200;

/** Does the work of {@link createKnowledgeIndex} in steps, at most one article each, so that other work comes in between. */
export function* prepareKnowledgeIndex(
  articles: readonly Article[],
  { synonyms = [], alternatives = [] }: KnowledgeWords = {},
): Generator<undefined, KnowledgeIndex, undefined> {
  const fields: Record<FieldName, Field>[] = [];
  for (const article of articles) {
    fields.push(readFields(article));
    yield;
  }
  const weights = new Map<string, Map<number, number>>();
  const exactWeights = new Map<string, Map<number, number>>();
  const pairs = new Map<string, Map<number, number>>();
  const prominent = new Map<string, Set<number>>();
  const surfaces = new Map<string, string>();
  for (const name of FIELD_NAMES) {
    const { weight, lengthShare, pairStrength } = FIELDS[name];
    const lengths: number[] = [];
    for (const each of fields) {
      lengths.push(topicTokens(each[name].tokens).length);
      yield;
    }
    const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, articles.length);
    for (const [article, each] of fields.entries()) {
      const relativeLength = (lengths[article] ?? 0) / Math.max(1, averageLength);
      const unit = weight / (1 - lengthShare + lengthShare * relativeLength);
      for (const token of topicTokens(each[name].tokens)) {
        surfaces.set(token.surface, token.stem);
        if (name !== 'body' && name !== 'category')
          prominent.set(token.stem, (prominent.get(token.stem) ?? new Set()).add(article));
        increase(weights, token.stem, article, unit);
        increase(exactWeights, token.surface, article, unit);
      }
      for (const text of each[name].texts) {
        for (const pair of pairsOf(topicTokens(text).map((token) => token.stem))) {
          const found = entry(pairs, pair);
          found.set(article, Math.max(found.get(article) ?? 0, pairStrength));
        }
      }
      yield;
    }
  }
  const postings = yield* saturate(weights);
  // A misspelt word may be a synonym of a word of the articles.
  for (const group of synonymGroups(synonyms).filter((each) => each.some((word) => postings.has(stem(word)))))
    for (const word of group) if (!surfaces.has(word)) surfaces.set(word, stem(word));
  const titled = new Set<string>();
  const exact = new Map<string, number>();
  const language = articles[0]?.language ?? 'en';
  const index = {
    articles,
    language,
    postings,
    exactPostings: yield* saturate(exactWeights),
    prominent,
    titled,
    pairs,
    surfaces,
    maxSurfaceLength: [...surfaces.keys()].reduce((longest, { length }) => Math.max(longest, length), 0),
    fillerStems: language === 'en' ? fillerStems(fields) : new Set<string>(),
    questions: [],
    passages: yield* readPassages(articles),
    synonymsOf: createSynonyms(synonyms),
    slots: createSlots(alternatives),
    exact,
  };
  const questions: IndexedQuestion[] = [];
  for (const [article, each] of fields.entries()) {
    for (const { stem } of topicTokens(each.title.tokens)) if (!GENERIC_STEMS.has(stem)) titled.add(stem);
    const { title = '', questions: asked = [] } = articles[article] ?? {};
    for (const text of [title, ...asked]) exact.set(exactWords(text), article);
    for (const text of [...each.questions.texts, ...each.title.texts]) {
      const stems = new Set(topicTokens(text).map((token) => token.stem));
      const surfaces = new Set(topicTokens(text).map((token) => token.surface));
      const mass = [...stems].reduce((sum, stem) => sum + importanceOf(index, widenStem(stem, index)), 0);
      questions.push({ article, stems, surfaces, mass });
      yield;
    }
  }
  return { ...index, questions };
}

function* readPassages(articles: readonly Article[]): Generator<undefined, readonly IndexedPassage[]> {
  const passages: IndexedPassage[] = [];
  for (const [article, { title, language, sections }] of articles.entries()) {
    for (const { heading, blocks } of sections)
      for (const block of blocks) {
        const text = `${title}\n${heading ?? ''}\n${block}\n${figureWords(block)}`;
        const tokens = topicTokens(tokenize(text, language));
        passages.push({ article, stems: new Set(tokens.map(({ stem }) => stem)) });
      }
    yield;
  }
  return passages;
}

type Weights = Map<string, Map<number, number>>;

function increase(weights: Weights, word: string, article: number, unit: number): void {
  const found = entry(weights, word);
  found.set(article, (found.get(article) ?? 0) + unit);
}

function* saturate(weights: Weights): Generator<undefined, Weights, undefined> {
  const saturated: Weights = new Map();
  for (const [word, found] of weights) {
    saturated.set(word, new Map([...found].map(([article, sum]) => [article, sum / (SATURATION + sum)])));
    if (saturated.size % WORDS_AT_ONCE === 0) yield;
  }
  return saturated;
}

const entry = (map: Map<string, Map<number, number>>, key: string): Map<number, number> => {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = new Map<number, number>();
  map.set(key, created);
  return created;
};

// A title of more words is a sentence.
const MAX_NAME_WORDS = 2;

/** The everyday words without those that name an article: "plan" is a topic where there is an article "Plans". */
function fillerStems(fields: readonly Record<FieldName, Field>[]): ReadonlySet<string> {
  const names = fields.map(({ title }) => title.tokens).filter(({ length }) => length <= MAX_NAME_WORDS);
  const named = new Set(names.flatMap((tokens) => tokens.map(({ stem }) => stem)));
  const everyday = [...FILLER_WORDS].flatMap((word) => tokenize(word).map(({ stem }) => stem));
  return new Set(everyday.filter((each) => !named.has(each)));
}

/** The words of a text in lower case, without punctuation and without a greeting or "please" at its beginning. */
export const exactWords = (text: string): string =>
  foldText(text)
    .replaceAll("'", '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:(?:hi|hello|hey|please|and|so|ok) )+/, '');

/** Neighbouring stems as keys of {@link KnowledgeIndex.pairs}. */
export function pairsOf(stems: readonly string[]): readonly string[] {
  return stems.slice(1).map((stem, position) => `${stems[position]} ${stem}`);
}

// An everyday word decides nothing, but between two equal articles it may.
const FILLER_SHARE = 0.3;

/**
 * How well one concept distinguishes articles, given its possible stems, the visitor's own first: the fewer
 * articles hold one of them, the more. Counting synonyms in keeps a rare word for a common thing ("auto" where all
 * articles say "car") from deciding everything. An everyday word that no article holds counts nothing.
 */
export function importanceOf(
  index: Pick<KnowledgeIndex, 'articles' | 'postings' | 'fillerStems'>,
  alternatives: readonly Alternative[],
): number {
  const said = alternatives[0]?.stem ?? '';
  const certainties = new Map<number, number>();
  for (const { stem, certainty } of alternatives) {
    for (const article of index.postings.get(stem)?.keys() ?? []) {
      certainties.set(article, Math.max(certainties.get(article) ?? 0, certainty));
    }
  }
  const isFiller = index.fillerStems.has(said);
  if (certainties.size === 0 && isFiller) return 0;
  const holders = Math.max(
    1,
    [...certainties.values()].reduce((sum, certainty) => sum + certainty, 0),
  );
  const rarity = Math.log(1 + (index.articles.length - holders + 0.5) / (holders + 0.5));
  return isFiller ? rarity * FILLER_SHARE : rarity;
}
