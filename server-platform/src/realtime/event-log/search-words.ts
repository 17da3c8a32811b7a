import { streamSafeText } from '../../kit/stream-safe-text.ts';

/**
 * Number of leading characters of a text that are indexed for word and vector search. The rest is not found. An index
 * of whole messages would be several times as large as the texts.
 */
export const INDEXED_CHARACTERS = 4_096;

// An index term may have 2046 bytes. Longer words are split, in texts and queries alike.
const WORD = /[\p{L}\p{N}\p{M}]{1,200}/gu;
const HAS_NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

// Created on first use, because its dictionaries are large.
let segmenter: Intl.Segmenter | null = null;

/**
 * Returns the distinct words at the beginning of a text for the transcript search: lower case, compatibility forms
 * folded, only letters, digits and marks. Scripts without spaces are split by dictionary. Texts and queries are treated
 * alike, so that the search does not depend on a database's locale. Source: `rest.md`, CV-3.
 */
export function searchWords(text: string): readonly string[] {
  const indexed = streamSafeText(text.slice(0, INDEXED_CHARACTERS)).normalize('NFKC').toLowerCase();
  return [...new Set(separate(indexed).match(WORD))];
}

function separate(text: string): string {
  if (!HAS_NO_SPACES.test(text)) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment).join(' ');
}
