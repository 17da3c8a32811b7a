/** A Markdown table, cell by cell. */
export interface Table {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Reads a block of Markdown as a table; null when it is none. */
export function readTable(block: string): Table | null {
  if (!block.startsWith('|')) return null;
  const [header = '', , ...rows] = block.split('\n').filter((line) => line.trim() !== '');
  return { headers: cellsOf(header), rows: rows.map(cellsOf) };
}

/** The cells of one row. */
export const cellsOf = (row: string): readonly string[] =>
  row
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim());
