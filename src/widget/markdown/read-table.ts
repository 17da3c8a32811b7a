import type { RichElement } from './rich-node.ts';

/** A wider head is text, because every row is filled to the width of the head. */
const MAX_COLUMNS = 24;

export type Alignment = readonly RichElement['align'][];

/** Cells between unescaped pipes; the outer pipes are optional. */
export function splitRow(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
}

/** Returns the alignment of the columns if `rule` is the row of dashes below `head`, else `null`. */
export function readAlignment(head: string, rule: string): Alignment | null {
  if (!head.includes('|') || !/^[\s|:-]*$/.test(rule)) return null;
  const columns = splitRow(rule);
  const isRule =
    columns.length === splitRow(head).length && columns.every((column) => /^:?-+:?$/.test(column));
  if (!isRule || columns.length > MAX_COLUMNS) return null;
  return columns.map((column) =>
    column.endsWith(':') ? (column.startsWith(':') ? 'center' : 'end') : 'start',
  );
}

/**
 * Returns how many of the last lines of a stream's open paragraph are the start of a table: the head, and under it part
 * of the row of dashes. They are shown as a table, so that pipes do not flash up as text.
 */
export function countTableLines(lines: readonly string[]): number {
  const isHead = (line = '') => line.startsWith('|') && splitRow(line).length <= MAX_COLUMNS;
  if (lines.length > 1 && /^[\s|:-]+$/.test(lines.at(-1) ?? '') && isHead(lines.at(-2))) return 2;
  return isHead(lines.at(-1)) ? 1 : 0;
}
