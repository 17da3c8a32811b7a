import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { lazy } from '../../../kit/lazy.ts';
import { packageFile } from '../../../kit/package-files.ts';

/**
 * Finds and compares words in languages other than English. It cuts endings off as long as one fits; the remaining key
 * is only compared, never shown.
 */

const stopWords: () => ReadonlyMap<string, ReadonlySet<string>> = lazy(() => {
  const lists: Readonly<Record<string, string>> = parse(
    readFileSync(packageFile('knowledge/stop-words.yaml'), 'utf8'),
  );
  return new Map(Object.entries(lists).map(([language, words]) => [language, new Set(words.split(' '))]));
});

/** Whether a folded word says nothing about the topic. */
export const isStopWordIn = (word: string, language: string): boolean =>
  stopWords().get(language)?.has(word) === true || (language === 'ja' && PARTICLE.test(word));

// Particles and endings of verbs, which are segmented in many ways; things are written in other letters, or longer.
const PARTICLE = /^\p{Script=Hiragana}{1,3}$/u;

// Letters that Unicode does not take apart.
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
  ة: 'ه',
  ى: 'ي',
  ـ: '',
};
const LETTER = /[ßłøæœđıةىـ]/g;

/** Replaces letters of a folded text by the ones that people write in their place. */
export const foldLetters = (text: string): string =>
  text.replace(LETTER, (letter) => LETTERS[letter] ?? letter);

// Longer endings stand before the shorter ones that they end with.
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  de: ['ungen', 'ung', 'ern', 'em', 'en', 'er', 'es', 'et', 'st', 'e', 'n', 's', 't'],
  fr: [
    'ements',
    'ement',
    'ations',
    'ation',
    'euses',
    'euse',
    'eurs',
    'eur',
    'aux',
    'ent',
    'ons',
    'ees',
    'er',
    'ez',
    'es',
    'ee',
    'al',
    'e',
    's',
    'x',
  ],
  es: [
    'ciones',
    'cion',
    'mente',
    'ando',
    'iendo',
    'ados',
    'adas',
    'ado',
    'ada',
    'ar',
    'er',
    'ir',
    'an',
    'en',
    'o',
    'a',
    'e',
    's',
  ],
  it: ['zioni', 'zione', 'mente', 'are', 'ere', 'ire', 'ato', 'ata', 'ano', 'ono', 'o', 'a', 'i', 'e'],
  nl: ['ingen', 'ing', 'en', 'er', 'je', 'e', 's', 't', 'n'],
  pl: [
    'owania',
    'owanie',
    'ania',
    'anie',
    'enia',
    'enie',
    'owac',
    'ach',
    'ami',
    'ego',
    'emu',
    'ych',
    'ow',
    'om',
    'ac',
    'ic',
    'ej',
    'ie',
    'ia',
    'ym',
    'ek',
    'ku',
    'a',
    'e',
    'i',
    'o',
    'u',
    'y',
  ],
  pt: [
    'coes',
    'cao',
    'mente',
    'ados',
    'adas',
    'ado',
    'ada',
    'ar',
    'er',
    'ir',
    'am',
    'em',
    'o',
    'a',
    'e',
    's',
  ],
  ar: ['ات', 'ون', 'ين', 'ية', 'ها', 'ه', 'ي'],
  he: ['ים', 'ות', 'ה', 'ת'],
};

// Japanese and Chinese are written without spaces, Arabic and Hebrew with articles and prepositions that
// are written before a word without a space.
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  ar: /^(?:وال|بال|كال|فال|لل|ال)(?=.{3})/u,
  he: /^[הבלמוכש](?=.{3})/u,
};

const LEAST_LETTERS: Readonly<Record<string, number>> = { ar: 3, he: 3 };
const LEAST_LATIN = 4;

/** The part of a folded word that its other forms share. */
export function stemIn(word: string, language: string): string {
  const least = LEAST_LETTERS[language] ?? LEAST_LATIN;
  const beginning = BEGINNINGS[language];
  let stem = beginning === undefined ? word : word.replace(beginning, '');
  for (;;) {
    const ending = ENDINGS[language]?.find(
      (each) => stem.endsWith(each) && stem.length - each.length >= least,
    );
    if (ending === undefined) return stem;
    stem = stem.slice(0, -ending.length);
  }
}

const segmenterOf = lazyBy((language: string) => new Intl.Segmenter(language, { granularity: 'word' }));

const IS_DENSE: ReadonlySet<string> = new Set(['ja', 'zh']);

// A hyphenated word in one piece, a figure and its unit in two.
const WORD = /\d+|\p{L}[\p{L}\p{N}]*(?:-\p{L}[\p{L}\p{N}]*)*/gu;

/** The words of a text, as they are written. */
export function splitWords(text: string, language: string): readonly string[] {
  if (!IS_DENSE.has(language)) return text.match(WORD) ?? [];
  return [...segmenterOf(language).segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  );
}

function lazyBy<T>(create: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const known = made.get(key) ?? create(key);
    made.set(key, known);
    return known;
  };
}
