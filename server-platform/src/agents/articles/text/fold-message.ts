import { foldText } from './tokenize.ts';
import { foldLetters } from './words-by-language.ts';

/** A visitor's message in the forms in which phrases are searched for. */
export interface FoldedMessage {
  /** Words between single spaces, with a space at both ends. */
  readonly words: string;
  /** As `words`, with ` , ` where a clause ends. */
  readonly clauses: string;
}

// Intents are said in few words; who writes more names the emergency at the beginning.
const MAX_CHARACTERS = 1_500;

/** Folds accents, case, full-width forms, apostrophes and punctuation, and shortens "heeelp" to "help". */
export function foldMessage(text: string): FoldedMessage {
  const folded = foldLetters(foldText(text.slice(0, MAX_CHARACTERS)))
    // English contractions are one word ("dont"); elsewhere an apostrophe separates two ("l agent").
    .replace(/(\p{L})['`´](s|t|m|d|re|ve|ll)(?![\p{L}])/gu, '$1$2')
    .replace(/([a-z])\1{2,}/g, '$1');
  const clauses = pad(
    folded.replace(/[.,;:!?\n。、，！？；：؟،]+/g, ' , ').replace(/[^\p{L}\p{N}, ]+/gu, ' '),
  );
  return { words: withoutClauses(clauses), clauses };
}

/** The words of a text whose clauses are marked. */
export function withoutClauses(clauses: string): string {
  return pad(clauses.replaceAll(',', ' '));
}

const pad = (text: string): string => ` ${text.split(/\s+/).filter(Boolean).join(' ')} `;
