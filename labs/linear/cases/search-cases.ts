import { storableText } from '../../../server-platform/src/db/storable-text.ts';
import { searchWords } from '../../../server-platform/src/realtime/event-log/search-words.ts';
import { createHashedEmbedder } from '../../../server-platform/src/records/search/hashed-embedder.ts';
import { fill, type LinearCase, MARKS, numbered, of } from '../linear-case.ts';

const SCRIPTS = ['ก', '中', 'កា', 'မ'];

/** Words that are searched. */
export const SEARCH: readonly LinearCase[] = [
  of('search words of one letter run', (size) => fill(size, 'a'), searchWords),
  of('search words, each another', (size) => numbered(size, (n) => `w${n}`, ' '), searchWords),
  of('search words of combining marks', (size) => fill(size, MARKS, 'a'), searchWords),
  ...SCRIPTS.map((letter) =>
    of(`search words without spaces, ${letter}`, (size) => fill(size, letter), searchWords),
  ),
  of('storable text of half surrogates', (size) => fill(size, '\ud800'), storableText),
  of(
    'hashed vector of combining marks',
    (size) => fill(size, MARKS, 'a'),
    (text) => createHashedEmbedder().embedQuery(text, new AbortController().signal),
  ),
  of(
    'hashed vector of many words',
    (size) => numbered(size, (n) => `w${n}`, ' '),
    (text) => createHashedEmbedder().embedQuery(text, new AbortController().signal),
  ),
];
