import { type ComponentChild, h, type VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { CopyButton } from '../copy-button.tsx';
import { listKey } from '../list-key.ts';
import { usePanel } from '../model/panel-model.ts';
import { createMarkdownStream } from './markdown-stream.ts';
import type { RichElement, RichNode, RichTag } from './rich-node.ts';
import { NEW_TAB } from './safe-href.ts';

/** Code up to this length, such as a booking number, is not broken over two lines. */
const SHORT_CODE_CHARACTERS = 24;
/** Elements with a reading direction of their own. A list or a table has one direction, markers and columns included. */
const OWN_DIRECTION: ReadonlySet<RichTag> = new Set<RichTag>([
  'p',
  'ul',
  'ol',
  'h3',
  'h4',
  'table',
  'blockquote',
]);

/**
 * Renders an agent's text as elements created from parsed nodes; no string is parsed as HTML. A block that did not change
 * keeps its virtual node, so that a chunk renders the last block only. Source: AM-3.
 */
export function RichText({ text, isStreaming }: { text: string; isStreaming: boolean }): VNode | null {
  const parse = useMemo(createMarkdownStream, []);
  const drawn = useMemo(() => new WeakMap<RichElement, VNode>(), []);
  return (
    <div class={isStreaming ? 'rich streaming' : 'rich'}>
      {parse(text, isStreaming).map((block, index) => {
        const node = drawn.get(block) ?? <Block key={listKey(index)} block={block} />;
        drawn.set(block, node);
        return node;
      })}
    </div>
  );
}

/** A component, because Preact skips a component with the same virtual node as before, but not an element. */
function Block({ block }: { block: RichElement }): VNode {
  return drawElement(block, 0);
}

function draw(node: RichNode, index: number): ComponentChild {
  return typeof node === 'string' ? node : drawElement(node, index);
}

function drawElement(element: RichElement, key: number): VNode {
  const { tag, children, href, start, align, isLoose, isDone } = element;
  if (tag === 'pre') return <CodeBlock key={key} text={String(children[0])} />;
  // The first paragraph of an item stands on the marker's line, without the space of a paragraph.
  const [first, ...others] = children;
  const isBare = tag === 'li' && typeof first === 'object' && first.tag === 'p';
  const isShort = tag === 'code' && String(first).length <= SHORT_CODE_CHARACTERS;
  const attributes = {
    key,
    href,
    start,
    scope: tag === 'th' ? 'col' : undefined,
    dir: tag === 'code' ? 'ltr' : OWN_DIRECTION.has(tag) ? 'auto' : undefined,
    class: align ?? (isShort ? 'short' : isLoose ? 'loose' : isDone === undefined ? undefined : 'task'),
    ...(href && NEW_TAB),
  };
  const drawn = h<object>(
    tag,
    attributes,
    isBare ? [drawFirst(first.children, isDone), others.map(draw)] : children.map(draw),
  );
  return tag === 'table' ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
    <div key={key} class="table" tabIndex={0}>
      {drawn}
    </div>
  ) : (
    drawn
  );
}

/** The text of an item's first line. A task's text is the label of its check box, which is read-only. */
function drawFirst(children: readonly RichNode[], isDone: boolean | undefined): ComponentChild {
  const text = children.map(draw);
  return isDone === undefined ? (
    text
  ) : (
    <label>
      <input type="checkbox" disabled checked={isDone} />
      <span>{text}</span>
    </label>
  );
}

function CodeBlock({ text }: { text: string }): VNode | null {
  const { strings } = usePanel();
  return (
    <div class="code" dir="ltr">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton label={strings.value.copyCode} read={() => text} />
    </div>
  );
}
