import type { ComponentChildren, VNode } from 'preact';
import { CopyButton } from '../copy-button.tsx';
import { usePanel } from '../panel-model.ts';
import { useOnce, type View, view } from '../view.ts';
import type { Block, Inline } from './block.ts';
import { createMarkdownStream, type MarkdownStream } from './markdown-stream.ts';
import { NEW_TAB } from './safe-href.ts';

/** A booking number or a command of this length is not broken over two lines. */
const SHORT_CODE_CHARACTERS = 24;

/**
 * Shows an agent's text as elements made from parsed blocks: no string ever becomes HTML. A block that did not
 * change keeps its virtual node, so a chunk costs the last block and nothing else. Source: AM-3.
 */
export const RichText: View<{ text: string; isStreaming: boolean }> = view(({ text, isStreaming }) => {
  const stream = useOnce(createMarkdownStream);
  const nodes = useOnce(() => new WeakMap<Block, VNode>());
  return (
    <div class={isStreaming ? 'rich streaming' : 'rich'} data-part="text">
      {renderBlocks(stream, nodes, text, isStreaming)}
    </div>
  );
});

function renderBlocks(
  stream: MarkdownStream,
  nodes: WeakMap<Block, VNode>,
  text: string,
  isStreaming: boolean,
): readonly VNode[] {
  return stream.update(text, isStreaming).map((block, index) => {
    const node = nodes.get(block) ?? <BlockView key={index} block={block} />;
    nodes.set(block, node);
    return node;
  });
}

function BlockView({ block }: { block: Block }): VNode {
  switch (block.kind) {
    case 'paragraph':
      return <p dir="auto">{inline(block.children)}</p>;
    case 'heading':
      return block.level < 3 ? (
        <h3 dir="auto">{inline(block.children)}</h3>
      ) : (
        <h4 dir="auto">{inline(block.children)}</h4>
      );
    case 'code':
      return <CodeBlock text={block.text} />;
    case 'list':
      return <ListBlock block={block} />;
    case 'table':
      return <TableBlock block={block} />;
  }
}

const CodeBlock = view(({ text }: { text: string }) => {
  const { strings } = usePanel();
  return (
    <div class="code" dir="ltr">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton label={strings.value.copyCode} read={() => text} />
    </div>
  );
});

function ListBlock({ block }: { block: Extract<Block, { kind: 'list' }> }): VNode {
  const items = block.items.map((blocks, index) => (
    <li key={index} dir="auto">
      {blocks.map((child, position) => listChild(child, position))}
    </li>
  ));
  return block.isOrdered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
}

/** The first paragraph of an item stands on the marker's line, without the space of a paragraph. */
function listChild(child: Block, position: number): ComponentChildren {
  return child.kind === 'paragraph' && position === 0 ? (
    inline(child.children)
  ) : (
    <BlockView key={position} block={child} />
  );
}

function TableBlock({ block }: { block: Extract<Block, { kind: 'table' }> }): VNode {
  const cellClass = (column: number) => `align-${block.align[column] ?? 'start'}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
    <div class="table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {block.head.map((cell, column) => (
              <th key={column} scope="col" dir="auto" class={cellClass(column)}>
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, column) => (
                <td key={column} dir="auto" class={cellClass(column)}>
                  {inline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(nodes: readonly Inline[]): ComponentChildren {
  return nodes.map(inlineNode);
}

function inlineNode(node: Inline, index: number): ComponentChildren {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'code':
      return (
        <code key={index} class={node.text.length <= SHORT_CODE_CHARACTERS ? 'short' : undefined} dir="ltr">
          {node.text}
        </code>
      );
    case 'break':
      return <br key={index} />;
    case 'strong':
      return <strong key={index}>{inline(node.children)}</strong>;
    case 'em':
      return <em key={index}>{inline(node.children)}</em>;
    case 'link':
      return (
        <a key={index} href={node.href} {...NEW_TAB}>
          {inline(node.children)}
        </a>
      );
  }
}
