import { MONTHS } from './local-day.ts';
import { isDateInSummer, type Sailings } from './sailings.ts';

// "March" and "may" are months after a preposition only.
const MONTH = new RegExp(
  `\\b(?:in|during|for|of|until|till|this|next|from|since|early|mid|late) (?<named>march|may)\\b|\\b(?<alone>${MONTHS.filter((month) => month !== 'march' && month !== 'may').join('|')})\\b`,
);

// A month that has both seasons is of the one in its middle.
const MIDDLE = '15';

/** The season that folded words name, by its name or by a month; null when they name none. */
export function readSeason(words: string, sailings: Sailings): 'summer' | 'winter' | null {
  const named = /\b(summer|winter)(?:time)?\b/.exec(words)?.[1];
  if (named === 'summer' || named === 'winter') return named;
  const { named: afterPreposition, alone } = MONTH.exec(words)?.groups ?? {};
  const month = MONTHS.indexOf(afterPreposition ?? alone ?? '') + 1;
  if (month === 0) return null;
  return isDateInSummer(sailings, `${String(month).padStart(2, '0')}-${MIDDLE}`) ? 'summer' : 'winter';
}
