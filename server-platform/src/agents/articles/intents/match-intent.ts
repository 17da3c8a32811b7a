import { spacingOf } from '../text/compile-phrase.ts';
import { editDistance } from '../text/edit-distance.ts';
import { type FoldedMessage, foldMessage, withoutClauses } from '../text/fold-message.ts';
import type { IntentAction, IntentPhrases, Intents, Vocabulary } from './load-intents.ts';

/** The intent of a message, and its language. */
export interface MatchedIntent {
  readonly intent: string;
  readonly action: IntentAction;
  readonly language: string;
  /** The words of the message that say so. */
  readonly said: string;
}

/** Further sources of known words, besides the phrases. */
export interface MatchContext {
  /** The conversation's language: decides between languages that share a phrase. */
  readonly language: string;
  /** True for a message that is certainly English: no other language's phrases are looked for. */
  readonly isEnglish: boolean;
  /** True for words that are spelt rightly. */
  readonly isKnown: (word: string) => boolean;
}

// Words that languages share ("horrible", "will") mean nothing else in an English sentence, but a call for help
// always counts.
const ANY_LANGUAGE: ReadonlySet<IntentAction> = new Set(['emergency']);

const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  zh: /\p{Script=Han}/u,
  he: /\p{Script=Hebrew}/u,
  ar: /\p{Script=Arabic}/u,
};
const LATIN = /[a-z]/;

/** The first intent, in the order of the files, that the message holds; null for a question to the articles. */
export function matchIntent(text: string, intents: Intents, context: MatchContext): MatchedIntent | null {
  const vocabulary = intents.vocabulary.get(context.language);
  const folded = foldMessage(text);
  const isKnown = (word: string): boolean =>
    context.isKnown(word) ||
    [...intents.vocabulary.values()].some((own) => own.get(word.charAt(0))?.has(word) === true);
  const message = vocabulary === undefined ? folded : correctSpelling(folded, vocabulary, isKnown);
  const candidates = intents.phrases.filter(
    ({ language, action }) =>
      (SCRIPTS[language] ?? LATIN).test(message.words) &&
      (!context.isEnglish || language === 'en' || ANY_LANGUAGE.has(action)),
  );
  let first: string | null = null;
  const matched: (IntentPhrases & { readonly said: string })[] = [];
  for (const phrases of candidates) {
    if (first !== null && phrases.intent !== first) break;
    const said = wordsThatSay(message, phrases, intents);
    if (said === null) continue;
    first = phrases.intent;
    matched.push({ ...phrases, said });
  }
  const best = matched.find(({ language }) => language === context.language) ?? matched[0];
  if (best === undefined) return null;
  const { intent, action, language, said } = best;
  return { intent, action, language, said };
}

/** The words of a message that hold a phrase; null when they hold none. */
function wordsThatSay(message: FoldedMessage, phrases: IntentPhrases, intents: Intents): string | null {
  const isDense = spacingOf(phrases.language) === 'dense';
  const clauses = isDense ? message.clauses.replaceAll(' ', '') : message.clauses;
  const kept = phrases.not === null ? clauses : clauses.replace(phrases.not, isDense ? ',' : ', ');
  const words = isDense ? kept.replaceAll(',', '') : withoutClauses(kept);
  const said = phrases.within === null ? undefined : words.match(phrases.within)?.[0];
  if (said !== undefined) return said;
  if (phrases.whole === null) return null;
  const rest = withoutCourtesies(words, phrases.language, intents);
  const isWhole =
    phrases.courtesy !== null && rest.trim() === ''
      ? words.search(phrases.courtesy) !== -1
      : phrases.whole.test(words) || phrases.whole.test(rest);
  return isWhole ? words : null;
}

/** Removes greetings, thanks and polite words, which do not change the meaning of a message. */
function withoutCourtesies(words: string, language: string, intents: Intents): string {
  const own = intents.courtesies.get(language);
  return own === undefined ? words : words.replace(own, '');
}

const MAX_CORRECTIONS = 12;

// In a long message, some word resembles a word of a phrase by chance: "rained" is close to "ruined".
const MAX_CORRECTED_CHARACTERS = 200;

/** Corrects misspelt longer words to words of the phrases. */
function correctSpelling(
  message: FoldedMessage,
  vocabulary: Vocabulary,
  isKnown: (word: string) => boolean,
): FoldedMessage {
  if (message.words.length > MAX_CORRECTED_CHARACTERS) return message;
  let left = MAX_CORRECTIONS;
  const clauses = message.clauses.replace(/(?<= )[a-z]{5,20}(?= )/g, (word) => {
    if (left === 0 || isKnown(word)) return word;
    left -= 1;
    return nearest(word, vocabulary) ?? word;
  });
  return clauses === message.clauses ? message : { clauses, words: withoutClauses(clauses) };
}

function nearest(word: string, vocabulary: Vocabulary): string | null {
  const limit = word.length < 9 ? 1 : 2;
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const known of vocabulary.get(word.charAt(0)) ?? []) {
    if (Math.abs(known.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, known, bestDistance - 1);
    if (distance === null) continue;
    best = known;
    bestDistance = distance;
  }
  return best;
}
