const UNIT =
  '(?! ?(?:[:.]\\d|am\\b|pm\\b|%|m\\b|ft\\b|met|kg|km|h\\b|hour|min|day|of\\b|people|ppl|week|wk|month|mile|tonne|quid|pound|boat|ferr|adult|sailing|o.?clock))';
const SAID = new RegExp(
  `\\b(?:is|'s|s|am|m|are|hes|shes|im|being|aged?|turning|turned|he|she|nearly|only|just) (\\d{1,2})\\b${UNIT}|\\b(\\d{1,2}) ?-?(?:(?:years?|yrs?)[ -]?olds?|yo|y/o)\\b|\\b(?:kids?|child|children|son|daughter|boy|girl|grandson|granddaughter|niece|nephew|toddler),? (?:of |\\()?(\\d{1,2})\\b${UNIT}`,
);
const OVER = /\b(?:both |all )?(?:over|past|in (?:my|our|his|her|their)) (\d{2})s?\b/;
const PEOPLE = /\b(?:i|im|we|he|she|wife|husband|mum|mother|dad|father|parents|both|aged|gran\w*|nan)\b/;

// Three and upwards: "is one" and "are two" mostly count.
const NUMBERS =
  'three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS: Readonly<Record<string, number>> = {
  ...{ twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90 },
  ...{ sixties: 60, seventies: 70, eighties: 80, nineties: 90 },
};
const NUMBER_WORD = new RegExp(
  `\\b(?:(${Object.keys(TENS).join('|')})[- ]?)?\\b(one|two|${NUMBERS.join('|')})\\b|\\b(${Object.keys(TENS).join('|')})\\b`,
  'g',
);

/** Figures for the numbers that are written as words. */
export const toFigures = (text: string): string =>
  text.replace(NUMBER_WORD, (whole, ten?: string, unit?: string, alone?: string) => {
    if (alone !== undefined) return String(TENS[alone]);
    const small = ['one', 'two', ...NUMBERS].indexOf(unit ?? '') + 1;
    if (ten !== undefined) return String((TENS[ten] ?? 0) + small);
    return small < 3 ? whole : String(small);
  });

/** The age of a person that a folded message names ("he's 11", "my 82 yr old mum"); null when there is none. */
export function readAge(foldedText: string): number | null {
  const text = toFigures(foldedText);
  const found = SAID.exec(text);
  if (found !== null) return Number(found[1] ?? found[2] ?? found[3]);
  const over = PEOPLE.test(text) ? OVER.exec(text)?.[1] : undefined;
  return over === undefined ? null : Number(over);
}

const WORDS: Readonly<Record<string, number>> = { fives: 5, twelves: 12, sixteens: 16, eighteens: 18 };
const toNumber = (text = ''): number => WORDS[text] ?? Number(text);

const BELOW = /\bunder[- ]?(\d{1,2}|fives|twelves|sixteens|eighteens)s?\b/gi;
const BETWEEN = /\b(\d{1,2}) (?:to|and) (\d{1,2})\b(?! ?(?:kg|cm|m\b|knots|minutes))/gi;
const FROM = /\b(?:aged|from|at least) (\d{1,2})\b(?![:.]\d)|\b(\d{1,2}) or over\b/gi;

/** Whether a text says something about people of this age: "under 12", "aged 12 to 15", "16 or over". */
export function coversAge(text: string, age: number): boolean {
  const folded = text.toLowerCase();
  return (
    [...folded.matchAll(BELOW)].some(([, limit]) => age < toNumber(limit)) ||
    [...folded.matchAll(BETWEEN)].some(([, from, to]) => age >= Number(from) && age <= Number(to)) ||
    [...folded.matchAll(FROM)].some(([, from, least]) => age >= toNumber(from ?? least))
  );
}
