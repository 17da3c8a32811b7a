import type { BlockDraft } from './block-draft.ts';
import { isFirstMarker } from './block-markers.ts';
import type { LineCursor } from './line-cursor.ts';
import type { Alignment } from './read-table.ts';
import { startsWithTag } from './read-tags.ts';

/** White space of this many columns begins a code block. */
export const CODE_INDENT = 4;
/** Models indent a list by two columns even below "10. ". */
const LEAST_NESTING = 2;

/** An open block of blocks. A line belongs to the innermost container that it is inside of. */
export interface Container {
  readonly kind: 'quote' | 'item' | 'html';
  /** The quote or the item; for HTML the item that is open in its list, or the list before its first item. */
  draft: BlockDraft;
  readonly list: BlockDraft | null;
  /** Of an item: the columns of its marker's indent, and those up to its text. */
  readonly markerIndent: number;
  readonly indent: number;
}

/** True if the line is inside the container. Then the cursor goes past the container's marker or indent. */
export function matchContainer(
  { kind, draft, indent, markerIndent }: Container,
  cursor: LineCursor,
  isAfterBlank: boolean,
): boolean {
  const own = cursor.indent();
  const text = cursor.rest.trimStart();
  if (kind === 'quote') return own < CODE_INDENT && text.startsWith('>') && skipQuoteMarker(cursor);
  if (kind === 'html') {
    if (isAfterBlank && text && !startsWithTag(text)) return false;
    cursor.strip(own);
    return true;
  }
  // An item that begins with a blank line has no second one.
  const isInside = text
    ? own >= indent || (own >= markerIndent + LEAST_NESTING && isFirstMarker(text))
    : draft.children.length > 0;
  if (isInside) cursor.strip(indent);
  return isInside;
}

/** Skips the sign of a quote and the space after it. */
export function skipQuoteMarker(cursor: LineCursor): true {
  cursor.skip(1);
  cursor.strip(1);
  return true;
}

/** The open block of text, the last in the innermost container. */
export type Leaf = Paragraph | Code | Table;

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly draft: BlockDraft;
  lines: string[];
}

export interface Code {
  readonly kind: 'fence' | 'indented';
  readonly draft: BlockDraft;
  readonly lines: string[];
  /** The characters of its opening fence, which the closing fence begins with. Empty for an indented block. */
  readonly mark: string;
  /** Columns that are not code. */
  readonly indent: number;
}

export interface Table {
  readonly kind: 'table';
  readonly draft: BlockDraft;
  readonly align: Alignment;
}

/**
 * With `isCut` the stream ends within the last line, which is shown when it is complete: it may be the closing fence.
 * `null` while there is nothing to show.
 */
export function textOfCode({ kind, lines }: Code, isCut: boolean): string | null {
  const shown = isCut ? lines.slice(0, -1) : lines;
  if (isCut && shown.length === 0) return null;
  if (kind === 'indented') while (shown.at(-1)?.trim() === '') shown.pop();
  return shown.join('\n');
}
