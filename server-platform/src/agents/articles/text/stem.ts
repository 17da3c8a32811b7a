/*
 * The suffix rules published by M. F. Porter ("An algorithm for suffix stripping", 1980). A stem is a key for
 * matching, never shown. Longer suffixes stand before the shorter ones they end with.
 */

type SuffixRule = readonly [suffix: string, replacement: string];

const DERIVED_TO_PLAIN: readonly SuffixRule[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['entli', 'ent'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['eli', 'e'],
];

const ENDINGS: readonly SuffixRule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

const LAST_SUFFIXES: readonly string[] = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'al',
  'er',
  'ic',
  'ou',
];

/** Whether a letter is a vowel: a "y" is one behind a consonant. */
const isVowel = (letter: string, isBehindConsonant: boolean): boolean =>
  letter === 'y' ? isBehindConsonant : letter !== '' && 'aeiou'.includes(letter);

/** As {@link isVowel}, for the letter at a place: each "y" of a run of them is another kind than the one before. */
function isVowelAt(word: string, index: number): boolean {
  let first = index;
  while (first > 0 && word[first] === 'y') first -= 1;
  let isFound = isVowel(word[first] ?? '', false);
  for (let next = first + 1; next <= index; next += 1) isFound = !isFound;
  return isFound;
}

const hasVowel = (word: string): boolean => /[aeiou]|.y/.test(word);

/** How many times a vowel run is followed by a consonant run: Porter's "measure". */
function measure(word: string): number {
  let count = 0;
  let wasVowel = false;
  for (let index = 0; index < word.length; index += 1) {
    const isNow = isVowel(word[index] ?? '', index > 0 && !wasVowel);
    if (wasVowel && !isNow) count += 1;
    wasVowel = isNow;
  }
  return count;
}

function endsInDoubleConsonant(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && !isVowelAt(word, last);
}

/** Ends consonant, vowel, consonant (the last none of w, x, y), as "hop" does: such a stem had an e, or doubles. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  return (
    last >= 2 &&
    !isVowelAt(word, last) &&
    isVowelAt(word, last - 1) &&
    !isVowelAt(word, last - 2) &&
    !'wxy'.includes(word[last] ?? '')
  );
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutPastAndProgressive(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = word.endsWith('ed') ? 'ed' : word.endsWith('ing') ? 'ing' : null;
  if (suffix === null) return word;
  const stem = word.slice(0, -suffix.length);
  if (!hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsInDoubleConsonant(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function replaceSuffix(word: string, rules: readonly SuffixRule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const stem = word.slice(0, -rule[0].length);
  return measure(stem) > 0 ? stem + rule[1] : word;
}

function withoutLastSuffix(word: string): string {
  if (/[st]ion$/.test(word)) return measure(word.slice(0, -3)) > 1 ? word.slice(0, -3) : word;
  const suffix = LAST_SUFFIXES.find((candidate) => word.endsWith(candidate));
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  return measure(stem) > 1 ? stem : word;
}

function tidyEnd(word: string): string {
  let result = word;
  if (result.endsWith('e')) {
    const stem = result.slice(0, -1);
    const size = measure(stem);
    if (size > 1 || (size === 1 && !endsShort(stem))) result = stem;
  }
  return result.endsWith('ll') && measure(result) > 1 ? result.slice(0, -1) : result;
}

// Words that the rules keep apart although people mean the same by them.
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['paid', 'pai'],
  ['pay', 'pai'],
  ['payment', 'pai'],
  ['lost', 'lose'],
  ['left', 'left'],
  ['max', 'maximum'],
  ['children', 'child'],
  ['buses', 'bu'],
  ['women', 'woman'],
  ['men', 'man'],
  ['people', 'person'],
  ['brought', 'bring'],
  ['bought', 'bui'],
  ['taken', 'take'],
  ['took', 'take'],
  ['ate', 'eat'],
  ['cheaper', 'cheap'],
  ['cheapest', 'cheap'],
  ['earlier', 'earli'],
  ['earliest', 'earli'],
  ['daily', 'day'],
  ['weekly', 'week'],
  ['monthly', 'month'],
  ['yearly', 'year'],
]);

/**
 * The matching key of a lower-case English word: inflections and common endings removed.
 *
 * @example
 * stem('cancellations') === stem('cancelled');
 */
export function stem(word: string): string {
  if (word.length <= 2 || /\d/.test(word)) return word;
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  let result = withoutPastAndProgressive(withoutPlural(word));
  const singular = IRREGULAR.get(result);
  if (singular !== undefined) return singular;
  if (result.endsWith('y') && hasVowel(result.slice(0, -1))) result = `${result.slice(0, -1)}i`;
  result = replaceSuffix(result, DERIVED_TO_PLAIN);
  result = replaceSuffix(result, ENDINGS);
  return tidyEnd(withoutLastSuffix(result));
}
