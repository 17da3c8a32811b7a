import { HOURS_STEM } from '../passages/figure-words.ts';
import { importanceOf, type KnowledgeIndex } from '../passages/knowledge-index.ts';
import { readAge } from '../text/age.ts';
import { editDistance } from '../text/edit-distance.ts';
import { isEnglishWord } from '../text/english-words.ts';
import { plainWordsFor } from '../text/plain-words-for.ts';
import { spellOut } from '../text/spell-out.ts';
import { stem } from '../text/stem.ts';
import { FILLER_WORDS, STOP_WORDS } from '../text/stop-words.ts';
import { foldText, type Token, tokenize } from '../text/tokenize.ts';
import { type Alternative, widenStem } from '../text/widen-stem.ts';
import { WEEKDAYS } from '../time/local-day.ts';
import { isHoliday, saysDay } from '../time/read-weekday.ts';

/** The stem that stands for an age: no article is found by it, but it chooses the passage. */
export const AGE_STEM = 'age=';

/** Stems that stand for "when" and for "which ones"; no article is found by them either. */
export const WHEN_STEM = 'when=';
export const LIST_STEM = 'list=';

const ASKED: readonly (readonly [stem: string, pattern: RegExp])[] = [
  [
    WHEN_STEM,
    /\b(?:when|what (?:time|day|date)s?|which days?|until|till|how (?:late|early|soon)|hours|deadline|earliest|latest)\b/,
  ],
  [
    LIST_STEM,
    /\bwhich (?:ones?|of (?:them|those|these)|kinds?|types?)\b|\bwhat (?:kinds?|types?|sorts?) of\b/,
  ],
];

const ASKS_HOURS = /\b(?:open|opens|opened|opening|close|closes|closed|closing|shut|shuts|hours)\b/;

// "How late are you open?" is no question about being late, and "how much" none to the article that happens to say "much".
const HOW_LATE = /\bhow late\b/g;
const HOW_MUCH = /\bhow (?:much|many)\b/g;

// An age is no question about years, or about something old.
const YEARS_OLD = /(\d) ?-?(?:years?|yrs?)[ -]?olds?\b/g;

/** A concept that only chooses the passage. */
const passageConcept = (stem: string): QueryConcept => ({
  alternatives: [{ stem, certainty: 1 }],
  surface: null,
  importance: 0,
  isFiller: false,
});

/** One thing the visitor said: the words of the articles that may stand for it, and how much it matters. */
export interface QueryConcept {
  readonly alternatives: readonly Alternative[];
  /** The word as it was said; null when it was corrected, joined or taken apart. */
  readonly surface: string | null;
  readonly importance: number;
  /** True for an everyday word, which may rank an article but does not choose a passage. */
  readonly isFiller: boolean;
}

// A message may hold 128 KB, but its first words decide its topic.
const MAX_CHARACTERS = 2_000;
const MAX_CONCEPTS = 40;
const MAX_CORRECTIONS = 8;

// "prkng", "bkng": who types so leaves out all vowels. Shorter words could be too many.
const CONSONANTS_ONLY = /^[bcdfghj-np-tv-z]{4,}$/;
const VOWELS = /[aeiou]/g;

const SLIP_CERTAINTY = [1, 0.85, 0.65] as const;

// A plain word that the visitor did not use and no article holds is no sign of another topic.
const ADDED_SHARE = 0.1;

/** Turns a visitor's words into concepts of this knowledge base: joined, split, corrected and widened words. */
export function readQuery(index: KnowledgeIndex, text: string): readonly QueryConcept[] {
  const isEnglish = index.language === 'en';
  const beginning = text.slice(0, MAX_CHARACTERS);
  const start = isEnglish ? spellOut(foldText(beginning)) : foldText(beginning);
  const said = isEnglish
    ? tokenize(start.replace(HOW_LATE, 'when').replace(HOW_MUCH, 'how').replace(YEARS_OLD, '$1'))
    : tokenize(beginning, index.language);
  const tokens = isEnglish ? [...said, ...tokenize(plainWordsFor(start))] : said;
  const concepts = new Map<string, QueryConcept>();
  let correctionsLeft = MAX_CORRECTIONS;
  const tryCorrection = (word: string): readonly Alternative[] => {
    if (correctionsLeft === 0 || FILLER_WORDS.has(word)) return [];
    correctionsLeft -= 1;
    return correct(index, word);
  };
  for (const [position, token] of tokens.entries()) {
    for (const found of conceptsAt(index, tokens, position, token, tryCorrection)) {
      const key = found.alternatives[0]?.stem ?? '';
      if (position >= said.length && isMeantBy(concepts, key)) continue;
      const isAdded = position >= said.length && isUnknown(index, found);
      if (!concepts.has(key))
        concepts.set(key, isAdded ? { ...found, importance: found.importance * ADDED_SHARE } : found);
    }
    if (concepts.size >= MAX_CONCEPTS) break;
  }
  const age = readAge(start);
  return [
    ...concepts.values(),
    ...(ASKS_HOURS.test(start) && saysDay(start) && !isHoliday(start) ? [passageConcept(HOURS_STEM)] : []),
    ...(age === null ? [] : [passageConcept(`${AGE_STEM}${age}`)]),
    ...ASKED.flatMap(([stem, pattern]) => (pattern.test(start) ? [passageConcept(stem)] : [])),
  ];
}

/** Whether the visitor's own words may stand for a stem already: "how much does it cost" asks for one price. */
const isMeantBy = (said: ReadonlyMap<string, QueryConcept>, added: string): boolean =>
  [...said.values()].some(({ alternatives }) => alternatives.some(({ stem }) => stem === added));

const isUnknown = (index: KnowledgeIndex, { alternatives }: QueryConcept): boolean =>
  !alternatives.some(({ stem }) => index.postings.has(stem));

function conceptsAt(
  index: KnowledgeIndex,
  tokens: readonly Token[],
  position: number,
  token: Token,
  tryCorrection: (word: string) => readonly Alternative[],
): readonly QueryConcept[] {
  const joined = joinedWith(index, token, tokens[position + 1]);
  const found = joined === null ? [] : [concept(index, joined)];
  if (token.isStopWord) return found;
  if (index.postings.has(token.stem)) return [...found, concept(index, token.stem, token.surface)];
  if (joined !== null || isPartOfJoined(index, tokens[position - 1], token)) return found;
  const parts = splitIntoKnown(index, token.surface);
  if (parts !== null) return parts.map((part) => concept(index, part, null));
  const corrected = tryCorrection(token.surface).flatMap(({ stem, certainty }) =>
    widenStem(stem, index).map((each) => ({ ...each, certainty: each.certainty * certainty })),
  );
  if (corrected.length === 0)
    return index.language === 'en' && isMisspeltEverydayWord(token.surface)
      ? []
      : [concept(index, token.stem, token.surface)];
  return [
    { alternatives: corrected, surface: null, importance: importanceOf(index, corrected), isFiller: false },
  ];
}

// "He is 11" has nothing to do with £11, but "4 of us" may be four berths.
const NUMBER_SHARE = 0.3;

// "Your hours today" are no question to the one article that happens to say "today".
const DAY_SHARE = 0.2;
const DAYS: ReadonlySet<string> = new Set(
  ['today', 'tomorrow', 'tonight', 'yesterday', 'morning', 'noon', 'afternoon', 'evening', ...WEEKDAYS].map(
    stem,
  ),
);

/** How much a figure or a time counts. One that no article names is a circumstance of the question, not its topic. */
function shareOf(stem: string, isKnown: boolean): number {
  const isNumber = /^\d+$/.test(stem);
  if (!isNumber && !DAYS.has(stem)) return 1;
  if (!isKnown) return 0;
  return isNumber ? (stem.length <= 2 ? NUMBER_SHARE : 1) : DAY_SHARE;
}

function concept(index: KnowledgeIndex, stem: string, surface: string | null = null): QueryConcept {
  const alternatives = widenStem(stem, index);
  const isKnown = alternatives.some((each) => index.postings.has(each.stem));
  return {
    alternatives,
    surface,
    importance: importanceOf(index, alternatives) * shareOf(stem, isKnown),
    isFiller: index.fillerStems.has(stem),
  };
}

/** "motor home" where the articles write "motorhome". */
function joinedWith(index: KnowledgeIndex, token: Token, next: Token | undefined): string | null {
  if (next === undefined) return null;
  return index.surfaces.get(token.surface + next.surface) ?? null;
}

function isPartOfJoined(index: KnowledgeIndex, previous: Token | undefined, token: Token): boolean {
  return previous !== undefined && joinedWith(index, previous, token) !== null;
}

/** "petfriendly" where the articles write "pet friendly". */
function splitIntoKnown(index: KnowledgeIndex, word: string): readonly string[] | null {
  const { maxSurfaceLength } = index;
  // Both parts are words of the articles, so a cut outside these bounds finds nothing.
  const last = Math.min(word.length - 3, maxSurfaceLength);
  for (let cut = Math.max(3, word.length - maxSurfaceLength); cut <= last; cut += 1) {
    const left = index.surfaces.get(word.slice(0, cut));
    const right = index.surfaces.get(word.slice(cut));
    if (left !== undefined && right !== undefined) return [left, right];
  }
  return null;
}

/** Returns a text in plain words, with misspelt longer words corrected to words of the articles. */
export function correctWords(index: KnowledgeIndex, text: string): string {
  let left = MAX_CORRECTIONS;
  return spellOut(foldText(text.slice(0, MAX_CHARACTERS))).replace(/\b[a-z]{5,20}\b/g, (word) => {
    const isKnown = index.postings.has(stem(word)) || STOP_WORDS.has(word) || FILLER_WORDS.has(word);
    if (left === 0 || isKnown) return word;
    left -= 1;
    const [best] = correct(index, word);
    return best?.surface ?? word;
  });
}

/** The longest words may hold two slips; short ones turn into other words too easily. */
function allowedSlips(length: number): number {
  if (length < 3) return 0;
  return length < 7 ? 1 : 2;
}

/** A word of the articles that a misspelt one may be. */
interface Correction extends Alternative {
  readonly surface: string;
}

/** The nearest words of the articles within the allowed slips; all of the smallest distance, at most three. */
function correct(index: KnowledgeIndex, word: string): readonly Correction[] {
  if (/\d/.test(word) || isEnglishWord(word)) return [];
  if (CONSONANTS_ONLY.test(word)) {
    const meant = [...index.surfaces].filter(([surface]) => surface.replace(VOWELS, '') === word);
    const stems = new Map(meant.map(([surface, stem]) => [stem, surface]));
    if (stems.size > 0)
      return [...stems]
        .slice(0, 3)
        .map(([stem, surface]) => ({ stem, surface, certainty: SLIP_CERTAINTY[1] }));
  }
  let limit = allowedSlips(word.length);
  let best: Correction[] = [];
  for (const [surface, stem] of index.surfaces) {
    if (surface.length < 3 || !couldBeMeant(word, surface)) continue;
    const distance = editDistance(word, surface, limit);
    if (distance === null || distance === 0) continue;
    if (distance < limit) best = [];
    limit = distance;
    if (!best.some((each) => each.stem === stem)) {
      best.push({ stem, surface, certainty: SLIP_CERTAINTY[distance] ?? 0 });
    }
  }
  return best.slice(0, 3);
}

const EVERYDAY_WORDS: readonly string[] = [...STOP_WORDS, ...FILLER_WORDS].filter((word) => word.length >= 3);

/**
 * "cna", "birng", "waht": no topic, so it must not count as a foreign one. "Plant" is no misspelt "plan", but "dose" may be
 * "does".
 */
function isMisspeltEverydayWord(word: string): boolean {
  const isWord = isEnglishWord(word);
  return (
    allowedSlips(word.length) > 0 &&
    EVERYDAY_WORDS.some(
      (known) =>
        (isWord ? lettersOf(word) === lettersOf(known) : couldBeMeant(word, known)) &&
        editDistance(word, known, 1) !== null,
    )
  );
}

const DOUBLED = /(.)\1/g;

/** Two keys that survive a typing error in a short word: its sorted letters, and its consonants. */
const lettersOf = (word: string): string => [...word].sort().join('');
const consonantsOf = (word: string): string => word.replace(/[aeiouy]/g, '_');
const undoubled = (word: string): string => word.replace(DOUBLED, '$1');

/** People rarely miss the first letter, except by swapping it with the second; three letters allow only a swap. */
function couldBeMeant(word: string, surface: string): boolean {
  const isSwapOfFirst = word[0] === surface[1] && word[1] === surface[0];
  // Another consonant makes another word of a short one ("life", "lift"); another vowel, or a swapped, missing or doubled
  // letter does not.
  if (word.length === surface.length && word.length <= 4) {
    return lettersOf(word) === lettersOf(surface) || consonantsOf(word) === consonantsOf(surface);
  }
  if (word.length === 3 || surface.length === 3) return undoubled(word) === undoubled(surface);
  return word[0] === surface[0] || isSwapOfFirst;
}
