import type { RichElement } from './rich-node.ts';

/** Every row is filled to the width of the head; a head that is wider than this is text. */
const MAX_COLUMNS = 24;

/** Cells between unescaped pipes; the outer pipes are optional. */
export function splitRow(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
}

/**
 * How the columns are aligned if a table begins at `index`: with a row, and under it a row of dashes. At the end
 * of a stream a row that begins with `|` counts before its dashes have come, so that pipes do not flash up as
 * text. Null for no table.
 */
export function readAlignment(
  lines: readonly string[],
  index: number,
  isOpen: boolean,
): readonly RichElement['align'][] | null {
  const head = lines[index] ?? '';
  const rule = lines[index + 1] ?? '';
  if (!head.includes('|') || !/^[\s|:-]*$/.test(rule)) return null;
  const width = splitRow(head).length;
  if (width > MAX_COLUMNS) return null;
  if (isOpen && index + 2 >= lines.length && /^\s*\|/.test(head)) return [];
  const columns = splitRow(rule);
  return columns.length === width && columns.every((column) => /^:?-+:?$/.test(column))
    ? columns.map((column) => (column.endsWith(':') ? (column.startsWith(':') ? 'center' : 'end') : 'start'))
    : null;
}
