import { dayOf } from './local-day.ts';
import { isSummer, type Sailings } from './sailings.ts';

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];

// "March" and "may" are months after a preposition only.
const MONTH = new RegExp(
  `\\b(?:in|during|for|of|until|till|this|next|from|since|early|mid|late) (?<named>march|may)\\b|\\b(?<alone>${MONTHS.filter((month) => month !== 'march' && month !== 'may').join('|')})\\b`,
);

// The seasons begin with a month and are the same every year.
const YEAR = 2026;
const MIDDLE = 15;

/** The season that folded words name, by its name or by a month; null when they name none. */
export function readSeason(words: string, sailings: Sailings): 'summer' | 'winter' | null {
  const named = /\b(summer|winter)(?:time)?\b/.exec(words)?.[1];
  if (named === 'summer' || named === 'winter') return named;
  const { named: afterPreposition, alone } = MONTH.exec(words)?.groups ?? {};
  const month = MONTHS.indexOf(afterPreposition ?? alone ?? '') + 1;
  if (month === 0) return null;
  return isSummer(sailings, dayOf(YEAR, month, MIDDLE)) ? 'summer' : 'winter';
}
