import { foldMessage } from './fold-message.ts';

/** Named lists of words that phrases of one language share. */
export type WordLists = Readonly<Record<string, string>>;

/** How a language separates its words. */
export type Spacing = 'words' | 'affixes' | 'dense';

const SPACING: Readonly<Record<string, Spacing>> = { ja: 'dense', zh: 'dense', he: 'affixes', ar: 'affixes' };

/** Whether words are separated (`words`), carry prefixes and suffixes (`affixes`), or stand without spaces (`dense`). */
export const spacingOf = (language: string): Spacing => SPACING[language] ?? 'words';

/*
 * A phrase is a list of elements between spaces:
 *   word          this word; `word*` any word that begins so; `two_words` words in this order
 *   a|b           one of these
 *   <name>        one of the list `name`
 *   element?      may be missing
 *   ...           up to five words; where words have no spaces, up to ten characters, also within an element
 *   ....          up to twelve words, also of the next clauses
 *   = at the start: the phrase is the whole message
 */
const GAPS: Readonly<Record<Spacing, string>> = {
  words: '(?:[^ ,]+ ){0,5}?',
  affixes: '(?:[^ ,]+ ){0,5}?',
  dense: '[^,]{0,10}?',
};

const WIDE_GAP = '(?:[^ ]+ ){0,12}?';

/**
 * Compiles phrases of one language to one pattern over a folded message, or null when there are none. Every repetition
 * in it is bounded, so its cost is linear in the length of the message.
 */
export function compilePhrases(
  phrases: readonly string[],
  lists: WordLists,
  language: string,
): { readonly within: RegExp | null; readonly whole: RegExp | null } {
  const spacing = spacingOf(language);
  const compiled = phrases.map((phrase) => ({
    isWhole: phrase.startsWith('='),
    source: compilePhrase(phrase.replace(/^=\s*/, ''), lists, spacing),
  }));
  const sources = (isWhole: boolean): string =>
    compiled.flatMap((each) => (each.isWhole === isWhole ? [each.source] : [])).join('|');
  const [within, whole] = [sources(false), sources(true)];
  const before = spacing === 'dense' ? '' : '(?<= )';
  return {
    within: within === '' ? null : new RegExp(`${before}(?:${within})`, 'gu'),
    whole: whole === '' ? null : new RegExp(`^ ?(?:${whole})$`, 'u'),
  };
}

function compilePhrase(phrase: string, lists: WordLists, spacing: Spacing): string {
  return phrase
    .split(/\s+/)
    .map((element) => compileElement(element, lists, spacing))
    .join('');
}

function compileElement(element: string, lists: WordLists, spacing: Spacing): string {
  if (element === '...') return GAPS[spacing];
  if (element === '....') return WIDE_GAP;
  const isOptional = element.endsWith('?');
  const alternatives = expand(isOptional ? element.slice(0, -1) : element, lists);
  const words = alternatives.map((word) => compileWord(word, spacing)).join('|');
  const [before, after] = { words: ['', ' '], affixes: ['[^ ,]{0,3}', '[^ ,]{0,4} '], dense: ['', ''] }[
    spacing
  ];
  return `(?:${before}(?:${words})${after})${isOptional ? '?' : ''}`;
}

/** The words that an element stands for. */
export function expand(element: string, lists: WordLists): readonly string[] {
  return element.split('|').flatMap((part) => {
    const name = /^<(.+)>$/.exec(part)?.[1];
    if (name === undefined) return [part];
    const list = lists[name];
    if (list === undefined) throw new Error(`There is no list of words called "${name}".`);
    return list.split('|').flatMap((each) => expand(each.trim(), lists));
  });
}

function compileWord(word: string, spacing: Spacing): string {
  if (spacing === 'dense') return word.split('...').map(foldDense).join(GAPS.dense);
  const hasAnyEnding = word.endsWith('*');
  const text = foldMessage(word.replaceAll('_', ' ').replace(/\*$/, '')).words.trim();
  return hasAnyEnding ? `${text}[^ ,]*` : text;
}

const foldDense = (text: string): string => foldMessage(text).words.replaceAll(' ', '');
