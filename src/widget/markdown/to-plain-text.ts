import type { RichElement, RichNode, RichTag } from './rich-node.ts';

/** Separators between the children of an element; none for inline elements. */
const BETWEEN: { readonly [Tag in RichTag]?: string } = {
  ul: '\n',
  ol: '\n',
  li: '\n',
  blockquote: '\n\n',
  table: '\n',
  tbody: '\n',
  tr: '\t',
};

/** Returns the words for a table with that many rows below its head. */
export type NameTable = (rowCount: number) => string;

/** Returns parsed text as plain text: for the clipboard, and with `nameTable` for screen readers. */
export function toPlainText(blocks: readonly RichNode[], nameTable?: NameTable): string {
  return blocks
    .map((block) => plainText(block, nameTable))
    .join('\n\n')
    .trim();
}

function plainText(node: RichNode, nameTable: NameTable | undefined): string {
  if (typeof node === 'string') return node;
  const { tag, start = 1, isDone } = node;
  if (tag === 'br') return '\n';
  if (tag === 'hr') return '---';
  // A screen reader would read the cells one after another without their heads, and could not be stopped.
  if (tag === 'table' && nameTable) return nameTable(countRows(node));
  const children = node.children.map((child) => plainText(child, nameTable));
  const text = join(tag, children, start);
  if (tag === 'blockquote') return text.replace(/^/gm, '> ');
  // Without its signs, deleted text would read as valid text.
  if (tag === 'del') return `~~${text}~~`;
  return isDone === undefined ? text : `${isDone ? '☑' : '☐'} ${text}`;
}

/** Number of rows below a table's head. */
export function countRows(table: RichElement): number {
  const body = table.children[1];
  return typeof body === 'object' ? body.children.length : 0;
}

function join(tag: RichTag, children: readonly string[], start: number): string {
  return children
    .map((text, index) => {
      if (tag !== 'ul' && tag !== 'ol') return text;
      return (tag === 'ol' ? `${start + index}. ` : '• ') + text.replaceAll('\n', '\n  ');
    })
    .join(BETWEEN[tag] ?? '');
}
