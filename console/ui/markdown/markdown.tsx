import { type ComponentChild, h, type VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { createMarkdownStream } from '../../../src/widget/markdown/markdown-stream.ts';
import type { RichNode } from '../../../src/widget/markdown/rich-node.ts';
import './markdown.css';

/** An agent's text, read by the widget's parser. Elements come from its nodes; no text becomes HTML. Source: AM-3. */
export function Markdown({ text }: { text: string }): VNode {
  const blocks = useMemo(() => createMarkdownStream()(text, false), [text]);
  return (
    <div class="markdown" dir="auto">
      {blocks.map(draw)}
    </div>
  );
}

function draw(node: RichNode, key: number): ComponentChild {
  if (typeof node === 'string') return node;
  const { tag, children, href, start, isDone } = node;
  const drawn = children.map(draw);
  if (tag === 'pre') return <Scroller key={key} content={<pre>{drawn}</pre>} label="Code" />;
  if (tag === 'table') return <Scroller key={key} content={<table>{drawn}</table>} label="Table" />;
  if (tag === 'li' && isDone !== undefined) drawn.unshift(isDone ? '☑ ' : '☐ ');
  const link = href === undefined ? null : { href, target: '_blank', rel: 'noreferrer' };
  const attributes = { key, start, scope: tag === 'th' ? 'col' : undefined, ...link };
  return h<object>(tag, attributes, drawn);
}

/** Content that may be wider than the page. It is focusable so that the keyboard can scroll it. */
function Scroller({ content, label }: { content: VNode; label: string }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="markdown-scroller" aria-label={label} tabIndex={0}>
      {content}
    </section>
  );
}
