import type { RichElement, RichNode } from '../../src/widget/markdown/rich-node.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Writes parsed blocks as the HTML of the specifications, as `normalizeHtml` returns it. */
export function writeSpecificationHtml(blocks: readonly RichNode[]): string {
  return blocks.map((block) => write(block, false)).join('');
}

function write(node: RichNode, isTight: boolean): string {
  if (typeof node === 'string') return escapeHtml(node);
  const { tag, children, href, start = 1, isLoose = false } = node;
  const inside = children.map((child) => write(child, tag === 'li' && isTight)).join('');
  switch (tag) {
    case 'br':
      return '\n';
    case 'hr':
      return '<hr />';
    case 'p':
      return isTight ? inside : `<p>${inside}</p>`;
    case 'a':
      return `<a href="${escapeHtml(href ?? '')}">${inside}</a>`;
    case 'pre':
      return `<pre><code>${inside && `${inside}\n`}</code></pre>`;
    case 'ol':
    case 'ul': {
      const items = children.map((child) => write(child, !isLoose)).join('');
      return `<${tag}${start === 1 ? '' : ` start="${start}"`}>${items}</${tag}>`;
    }
    case 'li':
      return `<li>${writeBox(node)}${inside}</li>`;
    case 'th':
    case 'td':
      return writeCell(node, inside);
    case 'tbody':
      return inside && `<tbody>${inside}</tbody>`;
    default:
      return `<${tag}>${inside}</${tag}>`;
  }
}

function writeBox({ isDone }: RichElement): string {
  return isDone === undefined ? '' : `<input ${isDone ? 'checked="" ' : ''}disabled="" type="checkbox"> `;
}

function writeCell({ tag, align = 'start' }: RichElement, inside: string): string {
  const side = { start: '', center: ' align="center"', end: ' align="right"' }[align];
  return `<${tag}${side}>${inside}</${tag}>`;
}

const BLOCK_TAG = /\n*(<\/?(?:p|h3|h4|hr|ul|ol|li|blockquote|table|thead|tbody|tr|th|td)\b[^>]*>)\n*/g;

/** Applies our intended differences to the HTML of the specifications. */
export function normalizeHtml(html: string): string {
  return (
    html
      // A line feed in a message is a line break, with and without spaces before it.
      .replaceAll('<br />\n', '\n')
      // Two sizes of headings are enough in a message.
      .replace(
        /<(\/?)h([1-6])>/g,
        (_, slash: string, level: string) => `<${slash}h${Number(level) < 3 ? 3 : 4}>`,
      )
      // A heading without text is not shown.
      .replace(/<h[34]><\/h[34]>/g, '')
      // A picture is a link, whose text is its description; inside a link it is that text.
      .replace(/<img src="([^"]*)" alt="([^"]*)"[^>]*>/g, (_, href: string, alt: string) => {
        return `<a href="${href}">${alt || href}</a>`;
      })
      .replace(/(<a [^>]*>[^<]*)<a [^>]*>([^<]*)<\/a>/g, '$1$2')
      // A link without text shows its address.
      .replace(/<a href="([^"]*)"([^>]*)><\/a>/g, '<a href="$1"$2>$1</a>')
      // Titles are not part of the tree, because users without a mouse never see them.
      .replace(/ title="[^"]*"/g, '')
      // The language of code is not part of it either, because code is not coloured.
      .replace(/<code class="[^"]*">/g, '<code>')
      // Line feeds between blocks.
      .split(/\n*(<pre>[\s\S]*?<\/pre>)\n*/)
      .map((part) => (part.startsWith('<pre>') ? part : part.replace(BLOCK_TAG, '$1')))
      .join('')
      .trim()
  );
}
