import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { lazy } from '../../../kit/lazy.ts';
import { packageFile } from '../../../kit/package-files.ts';
import { spacingOf } from './compile-phrase.ts';
import { foldMessage } from './fold-message.ts';

const FOLDER = packageFile('knowledge/glossary');

/** The words of one language with their English. */
interface Glossary {
  readonly words: ReadonlyMap<string, string>;
  /** Beginnings of words, longest first. */
  readonly beginnings: readonly (readonly [beginning: string, english: string])[];
  /** The most letters of an entry. */
  readonly maxLetters: number;
}

const loadGlossaries: () => ReadonlyMap<string, Glossary> = lazy(
  () =>
    new Map(
      readdirSync(FOLDER)
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => {
          const language = name.slice(0, -'.yaml'.length);
          return [language, readGlossary(parse(readFileSync(join(FOLDER, name), 'utf8')), language)];
        }),
    ),
);

function readGlossary(lists: Readonly<Record<string, string>>, language: string): Glossary {
  const isDense = spacingOf(language) === 'dense';
  const all = Object.entries(lists).flatMap(([english, words]) =>
    words.split(' ').map((word) => {
      const folded = foldMessage(word.replaceAll('_', ' ').replace(/\*$/, '')).words.trim();
      return {
        english,
        hasAnyEnding: word.endsWith('*'),
        word: isDense ? folded.replaceAll(' ', '') : folded,
      };
    }),
  );
  const now = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second');
  return {
    words: new Map([
      [foldMessage(now).words.trim(), 'now'],
      ...all.filter(({ hasAnyEnding }) => !hasAnyEnding).map(({ word, english }) => [word, english] as const),
    ]),
    beginnings: all
      .filter(({ hasAnyEnding }) => hasAnyEnding)
      .map(({ word, english }) => [word, english] as const)
      .sort(([one], [other]) => other.length - one.length),
    maxLetters: Math.max(0, ...all.map(({ word }) => word.length)),
  };
}

/** Whether a folded word is in the glossary of a language. */
export function isInGlossary(word: string, language: string): boolean {
  const glossary = loadGlossaries().get(language);
  return glossary !== undefined && lookUp(word, glossary) !== null;
}

// A question continues between two of these; a time of day stays in one piece.
const PIECES = /(\d{1,2} ?[:.h] ?\d{2}|[?!.,;\n。？！、，؟]+)/;
const MAX_CHARACTERS = 600;

/**
 * The English words behind a message in another language, as far as the articles need them: word by word, in the same
 * order. Words that neither the glossary nor `isKnown` knows are left out. Null when there is no glossary or no word.
 */
export function translate(text: string, language: string, isKnown: (word: string) => boolean): string | null {
  const glossary = loadGlossaries().get(language);
  if (glossary === undefined) return null;
  const pieces = text
    .slice(0, MAX_CHARACTERS)
    .split(PIECES)
    .map((piece, position) => {
      if (position % 2 === 1)
        return piece
          .replace(/[。？！]/g, '?')
          .replace(/[、，]/g, ',')
          .replace(/ ?[h.] ?(?=\d)/, ':');
      const { words } = foldMessage(piece);
      return spacingOf(language) === 'dense'
        ? translateDense(words, glossary, language === 'ja')
        : translateWords(words.trim().split(' '), glossary, language, isKnown);
    });
  const translated = pieces.join(' ').replace(/\s+/g, ' ').trim();
  return /[a-z]/.test(translated) ? translated : null;
}

/** As {@link translate}, for what reads English: English texts as they are, and nothing of a text without a known word. */
export const toEnglish = (text: string, language = 'en'): string =>
  language === 'en' ? text : (translate(text, language, () => false) ?? '');

const MAX_WORDS = 4;

function translateWords(
  words: readonly string[],
  glossary: Glossary,
  language: string,
  isKnown: (word: string) => boolean,
): string {
  const said: string[] = [];
  for (let start = 0; start < words.length; ) {
    let taken = 0;
    for (let count = Math.min(MAX_WORDS, words.length - start); count > 0 && taken === 0; count -= 1) {
      const english =
        lookUp(words.slice(start, start + count).join(' '), glossary) ??
        (count === 1 ? withoutPrefix(words[start] ?? '', glossary, language) : null);
      if (english === null) continue;
      said.push(english);
      taken = count;
    }
    const word = words[start] ?? '';
    if (taken === 0 && (/\d/.test(word) || isKnown(word))) said.push(word);
    start += Math.max(1, taken);
  }
  return said.join(' ');
}

function lookUp(word: string, { words, beginnings }: Glossary): string | null {
  const known = words.get(word);
  if (known !== undefined || word.includes(' ')) return known ?? null;
  return beginnings.find(([beginning]) => word.startsWith(beginning))?.[1] ?? null;
}

// Articles and prepositions that are written together with the next word.
const PREFIXES: Readonly<Record<string, readonly RegExp[]>> = {
  he: [/^[הבלמוכש](?=.{2})/u, /^[הבלמוכש]{2}(?=.{2})/u],
  ar: [/^(?:وال|بال|كال|فال|لل|ال|[وفبلك])(?=.{2})/u],
};

function withoutPrefix(word: string, glossary: Glossary, language: string): string | null {
  for (const prefix of PREFIXES[language] ?? []) {
    const found = prefix.test(word) ? lookUp(word.replace(prefix, ''), glossary) : null;
    if (found !== null) return found;
  }
  return null;
}

const PREPOSITION = /^(?:from|to)$/;

/**
 * Takes the longest word that begins at each place; letters and figures of ours stay as they are. Japanese says where
 * from and where to after the place, English before it.
 */
function translateDense(words: string, glossary: Glossary, isPlaceFirst: boolean): string {
  const said: string[] = [];
  const text = words.trim();
  for (let start = 0; start < text.length; ) {
    const own = /^[a-z0-9][a-z0-9 ]*/.exec(text.slice(start))?.[0];
    if (own !== undefined) {
      said.push(own.trim());
      start += own.length;
      continue;
    }
    let taken = 1;
    for (let count = Math.min(glossary.maxLetters, text.length - start); count > 0; count -= 1) {
      const word = text.slice(start, start + count);
      const english = glossary.words.get(word);
      if (english === undefined) continue;
      if (isPlaceFirst && PREPOSITION.test(english)) said.splice(Math.max(0, said.length - 1), 0, english);
      else said.push(english);
      taken = count;
      break;
    }
    start += taken;
  }
  return said.join(' ');
}
