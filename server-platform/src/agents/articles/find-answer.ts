import type { Memory } from './memory.ts';
import type { Article } from './passages/article.ts';
import { exactWords, type KnowledgeIndex } from './passages/knowledge-index.ts';
import { type RankedArticle, rankArticles } from './passages/rank-articles.ts';
import { type QueryConcept, readQuery } from './question/read-query.ts';
import { GENERIC_STEMS } from './text/generic-stems.ts';
import { foldText, tokenize } from './text/tokenize.ts';
import { thresholdOf } from './threshold-of.ts';

/**
 * Result of searching the articles for a question. `confident`: answer. `unknown`: there is no answer; `nearest` may be offered
 * instead.
 */
export interface FoundAnswer {
  readonly certainty: 'confident' | 'unknown';
  readonly confidence: number;
  readonly article: Article | null;
  /** Other articles that come near, best first. */
  readonly nearest: readonly Article[];
  /** The query of the ranking, for choosing the passage. */
  readonly concepts: readonly QueryConcept[];
  /** True when the question was read together with the one before. */
  readonly isFollowUp: boolean;
  /** True when the question has no word that names a subject, such as "it's tomorrow". */
  readonly isBare: boolean;
  /** The earlier words that still apply, without the words of slots that the question fills again. */
  readonly followed: string;
}

// From here on an article is offered by its title where none has an answer: in half of the cases it is the right one.
const NEAR = 0.05;

// Earlier questions count, but less than the current one.
const FOLLOWED_SHARE = 0.5;

// "And a caravan?" may open a new topic; "how long does it take?" names the old one.
const CONNECTED_BONUS = 0.1;
const POINTED_BONUS = 0.25;

const MOVED_ON = 0.4;
const TOUCHED_SHARE = { pointer: 0.3, connector: 0.7 } as const;
// If a second article reaches this share of the best one's confidence, the question alone does not choose between them.
const UNCLEAR_SHARE = 0.85;

const CONNECTOR =
  /^(?:and|or|but|also|then|what about|how about|same|plus|ok(?:ay)? (?:and|but|what)|so what|with|without|for|to|from|on|in)\b/;
const POINTER =
  /\b(?:it|its|that|this|they|them|those|these|there|one|ones|same|instead|he|she|hes|shes|theyre|him|her)\b/;

// "Is it possible to ...", "is there ...": these point at nothing.
const IMPERSONAL =
  /\b(?:is|was|would|will|does) (?:it|that) (?:be )?(?:possible|ok|okay|fine|allowed|true|alright|necessary|matter)\b|\b(?:is|are|was|were|will) there\b|\bthere(?: i|)s\b/g;

/** Finds the answer to a question, in the light of what the conversation was about. */
export function findAnswer(index: KnowledgeIndex, text: string, memory: Memory): FoundAnswer {
  const concepts = readQuery(index, text);
  const alone = rankArticles(index, concepts);
  const isBare = stemsSaid(concepts).length === 0;
  const slots = index.slots.replace(memory.words, text);
  const followed = slots.words;
  const toAnswer = (
    ranked: readonly RankedArticle[],
    asked: readonly QueryConcept[],
    isFollowUp: boolean,
    doubted = concepts,
  ): FoundAnswer => {
    const found = judge(index, ranked, asked, doubted);
    const said = isFollowUp ? emphasise(asked, concepts) : asked;
    return { ...found, concepts: said, isBare, isFollowUp, followed };
  };
  const exact = index.articles[index.exact.get(exactWords(text)) ?? -1];
  if (exact !== undefined) return toAnswer(withFirst(exact, alone), concepts, false);
  const isGeneric = saysNothingNew(concepts);
  // "What does it cost?" after a question without an answer is about that one's subject, and has as little of an answer.
  if (memory.misses > 0 && memory.missed !== undefined && isGeneric && isBrief(text)) {
    const both = [...concepts, ...fade(concepts, readQuery(index, memory.missed), 1)];
    return { ...toAnswer(rankArticles(index, both), both, true, both), followed: memory.missed };
  }
  if (memory.topic === null) return toAnswer(alone, concepts, false);
  const ownWords = stemsSaid(concepts).filter((each) => !GENERIC_STEMS.has(each));
  const isWhole = WHOLE.test(foldText(text.slice(0, 40))) && isNamedByTitle(alone[0]?.article, ownWords);
  const isOnlyFilling = isBrief(text) && saysLittle(index, concepts) && !isWhole;
  const together = [
    ...concepts,
    ...fade(concepts, readQuery(index, followed), isOnlyFilling ? 1 : FOLLOWED_SHARE),
  ];
  const isShort = text.trim().split(/\s+/, MAX_SHORT_WORDS + 1).length <= MAX_SHORT_WORDS;
  const reference =
    referenceIn(text, concepts) ?? (isShort && isGeneric ? 'pointer' : isOnlyFilling ? 'connector' : null);
  const isOfTopic = isShort && namesOneOf(index, memory.topic, ownWords);
  const isElliptic = reference !== null && (isGeneric || isOfTopic || saysLittle(index, concepts));
  const bonus = reference === 'pointer' || isElliptic ? POINTED_BONUS : CONNECTED_BONUS;
  // The article of a slot that was replaced is not the topic any more.
  const isReplaced = index.slots.isOfReplaced(memory.topic, slots);
  const fitting = rankArticles(index, together);
  const joint = isReplaced ? fitting : favour(memory.topic, bonus, fitting);
  const bestAlone = alone[0]?.confidence ?? 0;
  const touched = confidenceOf(memory.topic, alone);
  if (reference !== null) {
    const isClear = (alone[1]?.confidence ?? 0) < bestAlone * UNCLEAR_SHARE;
    // A question that another article alone answers well, and the topic hardly touches, has moved on.
    const hasMovedOn =
      !isElliptic && isClear && bestAlone >= MOVED_ON && touched < bestAlone * TOUCHED_SHARE[reference];
    return hasMovedOn ? toAnswer(alone, concepts, false) : toAnswer(joint, together, true);
  }
  // Of articles that are nearly as good, the one that the conversation is about is meant.
  const isTied = alone[0]?.article.slug !== memory.topic && touched >= bestAlone * TOUCHED_SHARE.connector;
  const staysOnTopic = joint[0]?.article.slug === memory.topic && touched > 0 && isTied;
  return staysOnTopic ? toAnswer(joint, together, true) : toAnswer(alone, concepts, false);
}

// "How many?", "how much per week": a question of so few words without a topic continues the last one.
const MAX_SHORT_WORDS = 5;

// "How much for a week on Tarrow": no new topic, only values for slots of the previous one.
const MAX_BRIEF_WORDS = 8;
const isBrief = (text: string): boolean =>
  text.trim().split(/\s+/, MAX_BRIEF_WORDS + 1).length <= MAX_BRIEF_WORDS;

const stemsSaid = (concepts: readonly QueryConcept[]): readonly string[] =>
  concepts
    .filter(({ importance, isFiller }) => importance > 0 && !isFiller)
    .map(({ alternatives }) => alternatives[0]?.stem ?? '');

/** Whether a message only asks what one may ask about anything ("how much is it?"). */
const saysNothingNew = (concepts: readonly QueryConcept[]): boolean =>
  stemsSaid(concepts).every((each) => GENERIC_STEMS.has(each));

/** Whether a message only fills a slot ("and for a caravan?"). */
const saysLittle = (index: KnowledgeIndex, concepts: readonly QueryConcept[]): boolean =>
  index.slots.isOnlySlots(stemsSaid(concepts).filter((each) => !GENERIC_STEMS.has(each)));

/** Whether a message says one thing, and the topic names it: "and for a DVD?" about a table with a row of DVDs. */
const namesOneOf = (
  index: KnowledgeIndex,
  topic: string,
  [said = '', ...others]: readonly string[],
): boolean =>
  others.length === 0 &&
  [...(index.prominent.get(said) ?? [])].some((position) => index.articles[position]?.slug === topic);

const WHOLE = /^(?:how|what|is|are|do|does|have|has|can|could|when|where|which|who|may)\b/;

/** Whether an article's title begins with the message: "How much is a cabin?" needs no topic. */
const isNamedByTitle = (article: Article | undefined, [said]: readonly string[]): boolean =>
  tokenize(article?.title ?? '', article?.language).find(({ isStopWord }) => !isStopWord)?.stem === said;

/** Between articles that fit a follow-up alike, the conversation's own is meant. */
function favour(topic: string, bonus: number, ranked: readonly RankedArticle[]): readonly RankedArticle[] {
  return ranked
    .map((each) => (each.article.slug === topic ? { ...each, confidence: each.confidence + bonus } : each))
    .sort((one, other) => other.confidence - one.confidence);
}

function confidenceOf(slug: string, ranked: readonly RankedArticle[]): number {
  return ranked.find(({ article }) => article.slug === slug)?.confidence ?? 0;
}

function fade(
  current: readonly QueryConcept[],
  followed: readonly QueryConcept[],
  share: number,
): readonly QueryConcept[] {
  const said = new Set(current.flatMap(({ alternatives }) => alternatives.map(({ stem }) => stem)));
  return followed
    .filter(({ alternatives }) => !said.has(alternatives[0]?.stem ?? ''))
    .map((concept) => ({ ...concept, importance: concept.importance * share }));
}

// A follow-up such as "With a car?": earlier questions choose the article, the words of this one choose its passage.
const SAID_NOW = 2.5;

const emphasise = (
  asked: readonly QueryConcept[],
  saidNow: readonly QueryConcept[],
): readonly QueryConcept[] =>
  asked.map((concept) =>
    saidNow.includes(concept) ? { ...concept, importance: concept.importance * SAID_NOW } : concept,
  );

/** How a question refers to the previous one: by a pronoun, by its beginning, or not at all. */
function referenceIn(text: string, concepts: readonly QueryConcept[]): 'pointer' | 'connector' | null {
  const words = foldText(text.slice(0, 500)).replaceAll("'", '').trim();
  const weighty = concepts.filter(({ importance }) => importance > 0).length;
  if (weighty <= 3 && POINTER.test(words.replace(IMPERSONAL, ' '))) return 'pointer';
  return weighty <= 4 && CONNECTOR.test(words) ? 'connector' : null;
}

/** The ranking with the article first that answers the very question. */
const withFirst = (article: Article, ranked: readonly RankedArticle[]): readonly RankedArticle[] => [
  { article, confidence: 1 },
  ...ranked.filter((each) => each.article !== article),
];

function judge(
  index: KnowledgeIndex,
  ranked: readonly RankedArticle[],
  asked: readonly QueryConcept[],
  said: readonly QueryConcept[],
): Omit<FoundAnswer, 'isBare' | 'isFollowUp' | 'followed'> {
  const [best, ...others] = ranked;
  const confidence = best?.confidence ?? 0;
  const least = thresholdOf(index) * doubtOf(index, best?.article, said);
  const certainty = confidence >= least ? 'confident' : 'unknown';
  const near = (certainty === 'unknown' ? ranked : others).filter((each) => each.confidence >= NEAR);
  return {
    certainty,
    confidence,
    article: certainty === 'unknown' ? null : (best?.article ?? null),
    nearest: near.slice(0, 3).map(({ article }) => article),
    concepts: asked,
  };
}

// One word in common with an article may be chance; each further one in the same passage leaves less of that doubt.
const DOUBT_LEFT = 0.65;
const MAX_FURTHER_WORDS = 3;

// The topic usually comes first: "is there a cafe in the showroom" is about a cafe.
const FIRST_SHARE = 3;

/**
 * How much surer than usual the ranking must be of an article. A question with words that no article knows is more often
 * about something else: twice as sure where it has no other words.
 */
function doubtOf(
  { articles, passages, postings }: KnowledgeIndex,
  article: Article | undefined,
  said: readonly QueryConcept[],
): number {
  const position = article === undefined ? -1 : articles.indexOf(article);
  const own = passages.filter((each) => each.article === position).map(({ stems }) => ({ stems, common: 0 }));
  let [total, unknown] = [0, 0];
  const first = said.find(({ importance, isFiller }) => importance > 0 && !isFiller);
  for (const concept of said) {
    const { alternatives, isFiller } = concept;
    const importance = concept.importance * (concept === first ? FIRST_SHARE : 1);
    if (importance === 0) continue;
    // A misspelt word is as well known as the one that it stands for.
    const most = alternatives[0]?.certainty ?? 1;
    const surest = (isHeld: (stem: string) => boolean): number =>
      Math.max(0, ...alternatives.map(({ stem, certainty }) => (isHeld(stem) ? certainty / most : 0)));
    total += importance;
    unknown += importance * (1 - surest((stem) => postings.has(stem))) ** 2;
    if (!isFiller) for (const passage of own) passage.common += surest((stem) => passage.stems.has(stem));
  }
  const common = Math.max(1, ...own.map((passage) => passage.common));
  const further = Math.min(MAX_FURTHER_WORDS, common - 1);
  return (1 + unknown / Math.max(total, 1)) * DOUBT_LEFT ** further;
}
