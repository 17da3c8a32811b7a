import { toFigures } from './to-figures.ts';

const UNIT =
  '(?! ?(?:[:.]\\d|am\\b|pm\\b|%|m\\b|ft\\b|met|kg|km|h\\b|hour|min|day|of\\b|people|ppl|week|wk|month|mile|tonne|quid|pound|adult|o.?clock))';
const SAID = new RegExp(
  `\\b(?:is|'s|s|am|m|are|hes|shes|im|being|aged?|turning|turned|he|she|nearly|only|just) (\\d{1,2})\\b${UNIT}|\\b(\\d{1,2}) ?-?(?:(?:years?|yrs?)[ -]?olds?|yo|y/o)\\b|\\b(?:kids?|child|children|son|daughter|boy|girl|grandson|granddaughter|niece|nephew|toddler),? (?:of |\\()?(\\d{1,2})\\b${UNIT}`,
);
const OVER = /\b(?:both |all )?(?:over|past|in (?:my|our|his|her|their)) (\d{2})s?\b/;
const PEOPLE = /\b(?:i|im|we|he|she|wife|husband|mum|mother|dad|father|parents|both|aged|gran\w*|nan)\b/;

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
const FROM =
  /\b(?:aged|from|at least) (\d{1,2})\b(?![:.]\d)|\b(\d{1,2}) or over\b|\bover (\d{2})s?\b(?! ?(?:kg|cm|m\b|knots|minutes))/gi;

/** Whether a text says something about people of this age: "under 12", "aged 12 to 15", "16 or over". */
export function coversAge(text: string, age: number): boolean {
  const folded = text.toLowerCase();
  return (
    [...folded.matchAll(BELOW)].some(([, limit]) => age < toNumber(limit)) ||
    [...folded.matchAll(BETWEEN)].some(([, from, to]) => age >= Number(from) && age <= Number(to)) ||
    [...folded.matchAll(FROM)].some(([, from, least, over]) => age >= toNumber(from ?? least ?? over))
  );
}
