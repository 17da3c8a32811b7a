import { streamSafeText } from '../../../kit/stream-safe-text.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { foldLetters, isStopWordIn, splitWords, stemIn } from './words-by-language.ts';

/** A word of a text: as it was written (lower case, no accents) and its matching key. */
export interface Token {
  readonly surface: string;
  readonly stem: string;
  /** True for words that say nothing about the topic ("the", "how", "please"). */
  readonly isStopWord: boolean;
}

// A figure and its unit are two words, however they are written: "30gb", "9m".
const WORD =
  /\d+(?=(?:gb|mb|tb|kb|kg|km|cm|mm|m|ft|kw|kwh|min|mins|hrs?|h|am|pm|p)\b)|[a-z0-9]+(?:'[a-z]+)*(?:-[a-z0-9]+(?:'[a-z]+)*)*/g;

function toToken(surface: string, language: string): Token {
  return language === 'en'
    ? { surface, stem: stem(surface), isStopWord: STOP_WORDS.has(surface) }
    : { surface, stem: stemIn(surface, language), isStopWord: isStopWordIn(surface, language) };
}

/** Lower case, accents and typographic apostrophes folded, so that "Café’s" and "cafe's" are one word. */
export function foldText(text: string): string {
  return streamSafeText(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-')
    .toLowerCase();
}

/**
 * Splits a text into tokens in order. A hyphenated word gives its parts and, after them, the joined word, so that
 * "check-in" is found by "check in" and by "checkin". The language is the one that the text is written in.
 */
export function tokenize(text: string, language = 'en'): readonly Token[] {
  const tokens: Token[] = [];
  for (const word of wordsOf(text, language)) {
    const parts = word.split('-').map(withoutApostrophe);
    for (const part of parts) if (part !== '') tokens.push(toToken(part, language));
    if (parts.length > 1) tokens.push(toToken(parts.join(''), language));
  }
  return tokens;
}

const wordsOf = (text: string, language: string): readonly string[] =>
  language === 'en'
    ? (foldText(text).match(WORD) ?? [])
    : splitWords(streamSafeText(text).normalize('NFKC'), language).map((word) => foldLetters(foldText(word)));

function withoutApostrophe(word: string): string {
  // A possessive is its owner; a contraction stays one word ("don't" is the stop word "dont").
  return word.endsWith("'s") ? word.slice(0, -2) : word.replaceAll("'", '');
}
