import type { RichNode, RichTag } from './rich-node.ts';

/** What stands between the children of an element; nothing between the words of a line. */
const BETWEEN: { readonly [Tag in RichTag]?: string } = {
  ul: '\n',
  ol: '\n',
  li: '\n',
  blockquote: '\n\n',
  table: '\n',
  tbody: '\n',
  tr: '\t',
};

/** The words of parsed text without their dress: for the clipboard and for screen readers. */
export function toPlainText(blocks: readonly RichNode[]): string {
  return blocks.map(plainText).join('\n\n').trim();
}

function plainText(node: RichNode): string {
  if (typeof node === 'string') return node;
  const { tag, children, start = 1, isDone } = node;
  if (tag === 'br') return '\n';
  if (tag === 'hr') return '---';
  const text = join(tag, children, start);
  if (tag === 'blockquote') return text.replace(/^/gm, '> ');
  // Without its signs deleted text would say the opposite.
  if (tag === 'del') return `~~${text}~~`;
  return isDone === undefined ? text : `${isDone ? '☑' : '☐'} ${text}`;
}

function join(tag: RichTag, children: readonly RichNode[], start: number): string {
  return children
    .map(plainText)
    .map((text, index) => {
      if (tag !== 'ul' && tag !== 'ol') return text;
      return (tag === 'ol' ? `${start + index}. ` : '• ') + text.replaceAll('\n', '\n  ');
    })
    .join(BETWEEN[tag] ?? '');
}
