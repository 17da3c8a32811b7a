/** The words of the numbers from 1 to 19, in order. */
const NUMBERS: readonly string[] =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );

const TENS: Readonly<Record<string, number>> = {
  ...{ twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90 },
  ...{ sixties: 60, seventies: 70, eighties: 80, nineties: 90 },
};
const TEN_WORDS = Object.keys(TENS).join('|');
const NUMBER_WORD = new RegExp(
  `\\b(?:(${TEN_WORDS})[- ]?)?\\b(${NUMBERS.join('|')})\\b|\\b(${TEN_WORDS})\\b`,
  'g',
);

/** Figures for the numbers that are written as words, from three upwards: "is one" and "are two" mostly count. */
export const toFigures = (text: string): string =>
  text.replace(NUMBER_WORD, (whole, ten?: string, unit?: string, alone?: string) => {
    if (alone !== undefined) return String(TENS[alone]);
    const small = NUMBERS.indexOf(unit ?? '') + 1;
    if (ten !== undefined) return String((TENS[ten] ?? 0) + small);
    return small < 3 ? whole : String(small);
  });
