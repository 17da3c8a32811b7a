import { streamSafeText } from '../../kit/stream-safe-text.ts';

/**
 * Of a text, as much is indexed for the searches: for words as for vectors. What comes after it is not found. The index of
 * whole messages would be several times as large as the texts.
 */
export const INDEXED_CHARACTERS = 4_096;

// An index term may have 2046 bytes. Longer ones fall into pieces, in texts and queries alike.
const WORD = /[\p{L}\p{N}\p{M}]{1,200}/gu;
const HAS_NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

// Made when it is needed first: its dictionaries are large.
let segmenter: Intl.Segmenter | null = null;

/**
 * The words of the beginning of a text for the transcript search, each once: lower case, compatibility forms folded, letters, digits and
 * marks only. Scripts that write no spaces are split by dictionary. Texts and queries go through it alike, so that the
 * search does not depend on the locale of a database. Source: `rest.md`, CV-3.
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
