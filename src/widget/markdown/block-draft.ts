import { type InlineContext, parseInline } from './parse-inline.ts';
import type { Alignment } from './read-table.ts';
import { splitRow } from './read-table.ts';
import type { BlockTag, RichElement, RichNode } from './rich-node.ts';

/** A block whose inline text is not parsed yet: link definitions may follow it. */
export interface BlockDraft {
  tag: BlockTag;
  /** Index of the line that it begins with. */
  readonly line: number;
  readonly children: BlockDraft[];
  /** Inline text, or the text of a code block. `null` for a block of blocks. */
  text: string | null;
  /** True if the end of the stream is the end of this text. */
  isOpen?: boolean;
  /** Only of a list: the character that ends its markers, or `<` for HTML. A marker with another character begins a new list. */
  readonly marker?: string;
  readonly start?: number | undefined;
  isLoose?: boolean;
  isDone?: boolean;
  readonly align?: RichElement['align'];
}

export function createDraft(tag: BlockTag, line: number, more: Partial<BlockDraft> = {}): BlockDraft {
  return { tag, line, children: [], text: null, ...more };
}

/** Creates a row of cells, as many as the table has columns. */
export function createRow(tag: 'th' | 'td', line: number, source: string, align: Alignment): BlockDraft {
  const cells = splitRow(source);
  const children = align.map((of, column) =>
    createDraft(tag, line, { text: cells[column] ?? '', align: of ?? 'start' }),
  );
  return { ...createDraft('tr', line), children };
}

/** Returns false for a paragraph, heading or code block without text. */
const isShown = ({ tag, children }: RichElement): boolean =>
  children.length > 0 || !/^(?:p|h3|h4|pre)$/.test(tag);

type FindDefinition = (label: string, line: number) => string | undefined;

/** Parses the inline text of drafts. `null` for a block with nothing to show. */
export function finishDraft(
  draft: BlockDraft,
  findDefinition: FindDefinition,
  toHref: InlineContext['toHref'],
  line: number = draft.line,
): RichElement | null {
  const { tag, text, isOpen = false, start, isLoose, isDone, align } = draft;
  const children: readonly RichNode[] =
    tag === 'pre' && text !== null
      ? [text]
      : text === null
        ? draft.children.flatMap((child) => finishDraft(child, findDefinition, toHref, line) ?? [])
        : parseInline(text, { isOpen, toHref, findDefinition: (label) => findDefinition(label, line) });
  const element: RichElement = {
    tag,
    children,
    ...(tag === 'ol' && { start }),
    ...(isLoose && { isLoose }),
    ...(isDone !== undefined && { isDone }),
    ...(align && { align }),
  };
  return isShown(element) ? element : null;
}
