/** "Friday to Monday", "Mon–Fri" and "Tuesday, Thursday and Saturday" as places in the list of names. */
export function readNames(text: string, names: readonly string[]): ReadonlySet<number> {
  const said = [...text.matchAll(/[a-z]+/g)].flatMap(({ 0: word, index }) => {
    const place = names.findIndex((name) => isName(word, name));
    return place === -1 ? [] : [{ place, index, end: index + word.length }];
  });
  const [first, last] = said;
  const isRange = last !== undefined && said.length === 2 && RANGE.test(text.slice(first?.end, last.index));
  if (first === undefined || !isRange) return new Set(said.map(({ place }) => place));
  const count = ((last.place - first.place + names.length) % names.length) + 1;
  return new Set(Array.from({ length: count }, (_, step) => (first.place + step) % names.length));
}

const RANGE = /^\s*(?:to|[-–])\s*$/;

const MIN_LETTERS = 3;

/** Whether a word is a name, its plural or its beginning. */
const isName = (word: string, name: string): boolean =>
  word === `${name}s` || (word.length >= MIN_LETTERS && name.startsWith(word));
