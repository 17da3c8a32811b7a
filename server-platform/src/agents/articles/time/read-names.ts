import { spacingOf } from '../text/compile-phrase.ts';
import { stem } from '../text/stem.ts';
import { foldText } from '../text/tokenize.ts';
import { foldLetters, splitWords, stemIn } from '../text/words-by-language.ts';

/** What a calendar has names for. */
type NameKind = 'weekday' | 'month';

const COUNTS = { weekday: 7, month: 12 } as const;

/** The names of one kind in one language. */
interface Names {
  /** Parts that several names share: "feira" of the days in Portuguese. */
  readonly shared: readonly string[];
  /** Place of a name by its short form, and by the stem of its long one. */
  readonly places: ReadonlyMap<string, number>;
  /** What lists two names without a range: "and", "or". */
  readonly lists: ReadonlySet<string>;
}

const known = new Map<string, Names>();

/**
 * The days of the week (0 for Sunday) or the months (0 for January) that a text in some language names, such as "Friday to
 * Monday", "Mon–Fri" and "Tuesday, Thursday and Saturday".
 */
export function readNames(text: string, kind: NameKind, language = 'en'): ReadonlySet<number> {
  const key = `${kind} ${language}`;
  const names = known.get(key) ?? readCalendar(kind, language);
  known.set(key, names);
  const plain = names.shared.reduce((rest, part) => rest.replaceAll(part, ' '), fold(text));
  let end = 0;
  const said = wordsOf(plain, kind, language).flatMap((word) => {
    const index = plain.indexOf(word, end);
    end = index + word.length;
    const place = placeOf(word, names.places, language);
    return place === undefined ? [] : [{ place, index, end }];
  });
  const [first, last] = said;
  const between = plain.slice(first?.end, last?.index).trim();
  const isRange = said.length === 2 && IS_RANGE.test(between) && !names.lists.has(between);
  if (first === undefined || last === undefined || !isRange) return new Set(said.map(({ place }) => place));
  const count = ((last.place - first.place + COUNTS[kind]) % COUNTS[kind]) + 1;
  return new Set(Array.from({ length: count }, (_, step) => (first.place + step) % COUNTS[kind]));
}

// A dash, or one word.
const IS_RANGE = /^(?:[-~〜][\s-]*|\p{L}+(?:\/\p{L})?)$/u;

// Marks of abbreviations are left out.
const fold = (text: string): string => foldLetters(foldText(text)).replace(/[.'׳]/g, ' ');

const DENSE_MONTH = /[\d一二三四五六七八九十]{1,2}月/g;

const wordsOf = (plain: string, kind: NameKind, language: string): readonly string[] =>
  kind === 'month' && spacingOf(language) === 'dense'
    ? (plain.match(DENSE_MONTH) ?? [])
    : splitWords(plain.replaceAll('-', ' - '), language);

const stemOf = (word: string, language: string): string =>
  language === 'en' ? stem(word) : stemIn(word, language);

// Shorter beginnings of names are other words.
const MIN_LETTERS = { spaced: 4, dense: 2 } as const;

function placeOf(word: string, places: Names['places'], language: string): number | undefined {
  const place = places.get(word) ?? places.get(stemOf(word, language));
  const least = spacingOf(language) === 'dense' ? MIN_LETTERS.dense : MIN_LETTERS.spaced;
  if (place !== undefined || word.length < least) return place;
  return [...places].find(([name]) => name.startsWith(word))?.[1];
}

function readCalendar(kind: NameKind, language: string): Names {
  const namesIn = (length: 'long' | 'short'): readonly (readonly string[])[] => {
    const format = new Intl.DateTimeFormat(language, { [kind]: length, timeZone: 'UTC' });
    return Array.from({ length: COUNTS[kind] }, (_, place) => {
      // 4 January 2026 is a Sunday.
      const date = kind === 'weekday' ? Date.UTC(2026, 0, 4 + place) : Date.UTC(2026, place);
      return fold(format.format(date)).match(/[\p{L}\p{N}]+/gu) ?? [];
    });
  };
  const [long, short] = [namesIn('long'), namesIn('short')];
  const parts = long.flat();
  const shared = [...new Set(parts.filter((part, at) => parts.indexOf(part) !== at))];
  const ownPart = (name: readonly string[]): string => name.find((part) => !shared.includes(part)) ?? '';
  const places = new Map<string, number>();
  for (const [place, name] of [...short.entries(), ...long.entries()]) places.set(ownPart(name), place);
  for (const [place, name] of long.entries()) places.set(stemOf(ownPart(name), language), place);
  const lists = (['conjunction', 'disjunction'] as const).map((type) =>
    fold(new Intl.ListFormat(language, { type }).format(['1', '2']))
      .replace(/[12]/g, '')
      .trim(),
  );
  return { shared, places, lists: new Set(lists) };
}
