import type { ColumnAlign } from './block.ts';
import type { BlockScope, BlockStep } from './block-scope.ts';
import { parseInline } from './parse-inline.ts';

const MAX_COLUMNS = 24;

/**
 * Whether a table begins here: a row and under it a row of dashes. At the end of a stream a row that begins
 * with `|` counts as one before its dashes have come, so that pipes do not flash up as text.
 */
export function isTableStart(lines: readonly string[], index: number, isOpen: boolean): boolean {
  const head = lines[index] ?? '';
  if (!head.includes('|')) return false;
  const rule = lines[index + 1];
  if (isOpen && head.trimStart().startsWith('|')) {
    if (rule === undefined) return true;
    if (index + 2 === lines.length && /^[\s|:-]*$/.test(rule)) return true;
  }
  const columns = rule === undefined ? null : readAlignment(rule);
  return columns !== null && columns.length === splitRow(head).length;
}

/** Parses the table that `isTableStart` saw. Rows are cut or filled to the width of the head. */
export function parseTable(lines: readonly string[], index: number, scope: BlockScope): BlockStep {
  const inline = (text: string, isOpen: boolean) => parseInline(text, isOpen, scope.tally);
  const isLastLine = (line: number) => scope.isOpen && line === lines.length - 1;
  const head = splitRow(lines[index] ?? '').map((cell) => inline(cell, isLastLine(index)));
  const align = readAlignment(lines[index + 1] ?? '') ?? [];
  const rows: ReturnType<typeof inline>[][] = [];
  let next = Math.min(index + 2, lines.length);
  for (; next < lines.length && (lines[next] ?? '').includes('|'); next += 1) {
    scope.tally.steps += 1;
    const cells = splitRow(lines[next] ?? '');
    rows.push(head.map((_, column) => inline(cells[column] ?? '', isLastLine(next))));
  }
  return {
    blocks: [{ kind: 'table', align: head.map((_, column) => align[column] ?? 'start'), head, rows }],
    next,
  };
}

function readAlignment(line: string): ColumnAlign[] | null {
  if (!/^[\s|:-]*-[\s|:-]*$/.test(line)) return null;
  const align: ColumnAlign[] = [];
  for (const cell of splitRow(line)) {
    if (!/^:?-+:?$/.test(cell)) return null;
    const isEnd = cell.endsWith(':');
    align.push(isEnd && cell.startsWith(':') ? 'center' : isEnd ? 'end' : 'start');
  }
  return align;
}

/** Cells between unescaped pipes; the outer pipes are optional. */
function splitRow(line: string): string[] {
  const row = line.trim();
  const cells: string[] = [];
  let cell = '';
  for (let index = row.startsWith('|') ? 1 : 0; index < row.length; index += 1) {
    const character = row.charAt(index);
    if (character === '\\' && row.charAt(index + 1) === '|') {
      cell += '|';
      index += 1;
    } else if (character === '|' && cells.length < MAX_COLUMNS) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  if (cell.trim() !== '' || !row.endsWith('|')) cells.push(cell.trim());
  return cells;
}
