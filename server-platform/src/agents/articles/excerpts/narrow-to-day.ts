import { cellsOf } from '../text/cells-of.ts';
import { readNames } from '../time/read-names.ts';

/**
 * A passage in some language, in which a table by days of the week holds only the rows that hold for one day, 0 for
 * Sunday.
 */
export function narrowToDay(passage: string, weekday: number, language?: string): string {
  return passage
    .split('\n\n')
    .map((block) => (isTableByDay(block, language) ? narrowTable(block, weekday, language) : block))
    .join('\n\n');
}

const MIN_ROWS = 2;

/** The days of each row of a table, by its first cell. */
const daysOf = (rows: readonly string[], language?: string): readonly ReadonlySet<number>[] =>
  rows.map((row) => readNames(cellsOf(row)[0] ?? '', 'weekday', language));

/** Whether a block is a table by days of the week. */
export const isTableByDay = (block: string, language: string | undefined): boolean =>
  block.startsWith('|') &&
  daysOf(block.split('\n').slice(2), language).filter(({ size }) => size > 0).length >= MIN_ROWS;

function narrowTable(table: string, weekday: number, language?: string): string {
  const [header = '', rule = '', ...rows] = table.split('\n');
  return [header, rule, ...keepDay(rows, daysOf(rows, language), weekday)].join('\n');
}

/** The rows of a table, written as "Monday: Return £38.00", that hold for one day, 0 for Sunday. */
export const factsOfDay = (facts: readonly string[], weekday: number, language?: string): readonly string[] =>
  keepDay(
    facts,
    facts.map((fact) => readNames(fact.split(':', 1)[0] ?? '', 'weekday', language)),
    weekday,
  );

function keepDay(
  rows: readonly string[],
  days: readonly ReadonlySet<number>[],
  weekday: number,
): readonly string[] {
  if (!days.some((each) => each.has(weekday))) return rows;
  // A row of no day, such as that of holidays, may hold as well.
  return rows.filter((_, at) => days[at]?.size === 0 || days[at]?.has(weekday) === true);
}
