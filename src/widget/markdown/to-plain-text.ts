import type { Block, Inline } from './block.ts';

/** The words of parsed text without their dress: for the clipboard and for screen readers. */
export function toPlainText(blocks: readonly Block[]): string {
  return blocks.map(blockText).join('\n\n').trim();
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return inlineText(block.children);
    case 'code':
      return block.text;
    case 'list':
      return block.items
        .map((item, index) => {
          const marker = block.isOrdered ? `${block.start + index}. ` : '• ';
          return marker + item.map(blockText).join('\n').replaceAll('\n', '\n  ');
        })
        .join('\n');
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(inlineText).join('\t')).join('\n');
  }
}

function inlineText(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      if (node.kind === 'break') return '\n';
      return 'children' in node ? inlineText(node.children) : node.text;
    })
    .join('');
}
