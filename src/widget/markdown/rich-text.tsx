import { type ComponentChild, h, type VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { directionOf, directionTextOf } from '../dom/text-direction.ts';
import { BareLink, toBareHref } from '../links/bare-link.tsx';
import { useLink } from '../links/use-link.ts';
import { listKey } from '../list-key.ts';
import { fillCount } from '../locales/fill.ts';
import { CopyButton } from '../panel/copy-button.tsx';
import { usePanel } from '../panel/model/panel-model.ts';
import { useOwnText } from '../panel/transcript/use-own-text.ts';
import { createMarkdownStream } from './markdown-stream.ts';
import type { RichElement, RichNode, RichTag } from './rich-node.ts';
import { countRows, toPlainText } from './to-plain-text.ts';
import { useScroller } from './use-scroller.ts';

/** Code up to this length, such as a booking number, is not broken over two lines. */
const SHORT_CODE_CHARACTERS = 24;
/** Elements with their own reading direction. A list or a table has one direction, markers and columns included. */
const OWN_DIRECTION: ReadonlySet<RichTag> = new Set<RichTag>([
  'p',
  'ul',
  'ol',
  'h3',
  'h4',
  'table',
  'blockquote',
]);

interface RichTextProps {
  readonly text: string;
  readonly isStreaming: boolean;
  /** A stopped answer is drawn as it was while it streamed. */
  readonly isStopped?: boolean | undefined;
}

/**
 * Renders an agent's text as elements created from parsed nodes; no string is parsed as HTML. A block that did not change
 * keeps its virtual node, so that a chunk renders the last block only. Source: AM-3.
 */
export function RichText({ text, isStreaming, isStopped = false }: RichTextProps): VNode | null {
  const parse = useMemo(createMarkdownStream, []);
  const drawn = useMemo(() => new WeakMap<RichElement, VNode>(), []);
  // A new stream for a stopped answer, because one in use may wait for more of a long block.
  const blocks = isStopped ? createMarkdownStream()(text, true) : parse(text, isStreaming);
  const own = useOwnText(isStreaming, () => blocks.map(textOf).join(''));
  return (
    <div key={own.key} ref={own.ref} class={isStreaming ? 'rich streaming' : 'rich'}>
      {blocks.map((block, index) => {
        const node = drawn.get(block) ?? <Block key={listKey(index)} block={block} />;
        drawn.set(block, node);
        return node;
      })}
    </div>
  );
}

/** A component, because Preact skips a component with the same virtual node as before, but not an element. */
function Block({ block }: { block: RichElement }): VNode {
  return drawElement(block, 0, usePanel().textDirection.value);
}

/** The text of a node as it stands on the screen. */
const textOf = (node: RichNode): string =>
  typeof node === 'string' ? node : node.children.map(textOf).join('');

function drawElement(element: RichElement, key: number, language: 'ltr' | 'rtl'): VNode {
  const draw = (node: RichNode, index: number): ComponentChild =>
    typeof node === 'string' ? node : drawElement(node, index, language);
  const { tag, children, start, align, isLoose, isDone } = element;
  if (tag === 'pre') return <CodeBlock key={key} text={String(children[0])} />;
  if (tag === 'a') return <RichLink key={key} link={element} draw={draw} />;
  // The first paragraph of an item stands on the marker's line, without the space of a paragraph.
  const [first, ...others] = children;
  const isBare = tag === 'li' && typeof first === 'object' && first.tag === 'p';
  const isShort = tag === 'code' && String(first).length <= SHORT_CODE_CHARACTERS;
  if (tag === 'p' && children.length === 1) {
    const [only = ''] = children;
    const href = typeof only === 'object' && only.tag === 'a' ? toBareHref(toPlainText([only])) : null;
    // A link whose text differs from its address stays a link.
    if (href)
      return (
        <BareLink key={key} href={href}>
          <p>{draw(only, 0)}</p>
        </BareLink>
      );
  }
  const attributes = {
    key,
    start,
    scope: tag === 'th' ? 'col' : undefined,
    dir:
      tag === 'code'
        ? 'ltr'
        : OWN_DIRECTION.has(tag)
          ? directionOf(directionTextOf(element), language)
          : undefined,
    class: align ?? (isShort ? 'short' : isLoose ? 'loose' : isDone === undefined ? undefined : 'task'),
  };
  const drawn = h<object>(
    tag,
    attributes,
    isBare ? [drawFirst(first.children.map(draw), isDone), others.map(draw)] : children.map(draw),
  );
  return tag === 'table' ? (
    <Table key={key} table={element} drawn={drawn} direction={attributes.dir} />
  ) : (
    drawn
  );
}

/** The scrolled element has the direction of the table, so that it starts at the first column. */
function Table(props: { table: RichElement; drawn: VNode; direction: string | undefined }): VNode {
  const { table, drawn, direction } = props;
  const { strings, locale } = usePanel();
  const scroller = useScroller(() => fillCount(strings.value.tableRows, countRows(table), locale.value));
  return (
    <div class="table" dir={direction as 'ltr' | 'rtl'} {...scroller}>
      {drawn}
    </div>
  );
}

type Draw = (node: RichNode, index: number) => ComponentChild;

function RichLink({ link, draw }: { link: RichElement; draw: Draw }): VNode {
  const toLink = useLink();
  // Without a safe address it has no attributes.
  const attributes = link.href ? toLink(link.href, toPlainText([link])) : null;
  return h<object>('a', attributes, link.children.map(draw));
}

/** The text of an item's first line. A task's text is the label of its check box, which is read-only. */
function drawFirst(text: readonly ComponentChild[], isDone: boolean | undefined): ComponentChild {
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
  const scroller = useScroller(() => strings.value.code);
  return (
    <div class="code" dir="ltr">
      <pre {...scroller}>
        <code>{text}</code>
      </pre>
      <CopyButton label={strings.value.copyCode} read={() => text} />
    </div>
  );
}
