import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { packageFile } from '../../../kit/package-files.ts';
import { foldMessage } from '../text/fold-message.ts';
import { STOP_WORDS } from '../text/stop-words.ts';

const FILE = packageFile('knowledge/languages.yaml');

const lists: Readonly<Record<string, string>> = parse(readFileSync(FILE, 'utf8'));

// Shorter ones are words of other languages, too.
const MIN_LETTERS = 4;
const ENGLISH = [...STOP_WORDS].filter(({ length }) => length >= MIN_LETTERS);

const WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(lists).map(([language, words]) => [
    language,
    new Set([...words.split(' '), ...(language === 'en' ? ENGLISH : [])]),
  ]),
);

const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['ar', /\p{Script=Arabic}/u],
];

// Letters and signs that, of these languages, only one writes in its own words.
const OWN_LETTERS: readonly (readonly [language: string, letters: RegExp])[] = [
  ['pl', /[ąęłśżźćń]/u],
  ['de', /[äöüß]/u],
  ['es', /[ñ¿¡]/u],
  ['pt', /[ãõ]/u],
  ['fr', /[œîûù]/u],
];

const MAX_WORDS = 60;
const MAX_CHARACTERS = 1_500;

/** Whether a folded word is one of the common words of a language. */
export const isCommonWord = (word: string, language: string): boolean =>
  WORDS.get(language)?.has(word) === true;

/**
 * The language of a message, or null when its words do not show it. A script decides at once. Among languages with Latin
 * letters, the one with the most common words and words with letters unique to it wins, if these are at least two and more
 * than the English words. `expected` decides between equally likely languages.
 */
export function detectLanguage(text: string, expected: string | null = null): string | null {
  const { words } = foldMessage(text);
  const script = SCRIPTS.find(([, pattern]) => pattern.test(words));
  if (script !== undefined) return script[0];
  const said = words.trim().split(' ').slice(0, MAX_WORDS);
  const written = text.slice(0, MAX_CHARACTERS).normalize('NFC').toLowerCase().split(/\s+/, MAX_WORDS);
  const counts = [...WORDS].map(([language, known]) => ({
    language,
    count: said.filter((word) => known.has(word)).length + countOwn(written, language),
  }));
  const [best, second] = counts.sort((one, other) => other.count - one.count);
  if (best === undefined || best.count < 2 || best.count === second?.count) {
    return best !== undefined && best.count >= 2 && best.language === 'en' ? 'en' : tieOf(counts, expected);
  }
  return best.language;
}

/** How many words hold a letter that only this language writes. */
function countOwn(words: readonly string[], language: string): number {
  const letters = OWN_LETTERS.find(([each]) => each === language)?.[1];
  return letters === undefined ? 0 : words.filter((word) => letters.test(word)).length;
}

/** Between related languages with as many common words it is the expected one, else the first. English wins any tie. */
function tieOf(
  counts: readonly { readonly language: string; readonly count: number }[],
  expected: string | null,
): string | null {
  const most = counts[0]?.count ?? 0;
  if (most < 2) return null;
  const best = counts.filter(({ count }) => count === most).map(({ language }) => language);
  if (best.includes('en')) return 'en';
  return best.find((language) => language === expected) ?? best[0] ?? null;
}
