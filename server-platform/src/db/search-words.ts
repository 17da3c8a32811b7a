import { streamSafeText } from '../stream-safe-text.ts';

// All words of a turn together may have a megabyte in the index; what comes after this many characters is not found.
const MAX_CHARACTERS = 100_000;

// A word of the index may have 2046 bytes. Longer ones fall into pieces, in texts and queries alike.
const WORD = /[\p{L}\p{N}\p{M}]{1,200}/gu;
const HAS_NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

// Made when it is needed first: its dictionaries are large.
let segmenter: Intl.Segmenter | null = null;

/**
 * The words of a text for the transcript search, each once: lower case, compatibility forms folded, letters, digits and
 * marks only. Scripts that write no spaces are split by dictionary. Texts and queries go through it alike, so that the
 * search does not depend on the locale of a database. Source: `rest.md`, CV-3.
 */
export function searchWords(text: string): readonly string[] {
  const words = new Set<string>();
  let characters = 0;
  for (const word of separate(streamSafeText(text).normalize('NFKC').toLowerCase()).match(WORD) ?? []) {
    if (words.has(word)) continue;
    characters += word.length;
    if (characters > MAX_CHARACTERS) break;
    words.add(word);
  }
  return [...words];
}

function separate(text: string): string {
  if (!HAS_NO_SPACES.test(text)) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment).join(' ');
}
