import type { MarkdownOptions } from 'vitepress';

type Theme = NonNullable<MarkdownOptions['theme']>;
type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number];

/** Kinds of tokens by their colour in the theme; the style sheet has the colours for light and dark. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string', 'markup.inline.raw'],
  constant: ['constant', 'support.constant', 'variable.other.constant', 'entity.other.attribute-name'],
  keyword: ['keyword', 'storage', 'entity.name.tag', 'support.type.property-name'],
  function: ['entity.name.function', 'support.function', 'entity.name.type', 'support.class'],
};

const colourOf = (index: number): string => `#00000${index + 1}`;
const NAMES = Object.keys(KINDS);

/** A theme whose colours are only numbers of kinds. */
export const codeTheme = {
  name: 'natter',
  type: 'light',
  colors: { 'editor.foreground': '#000000', 'editor.background': '#ffffff' },
  settings: Object.values(KINDS).map((scope, index) => ({
    scope: [...scope],
    settings: { foreground: colourOf(index) },
  })),
} as unknown as Theme;

/** Replaces the inline styles of highlighted code with classes, because the page's policy allows no inline styles. */
export const stylesToClasses: Transformer = {
  name: 'styles-to-classes',
  pre(node) {
    delete node.properties['style'];
  },
  span(node) {
    const style = String(node.properties['style'] ?? '').toLowerCase();
    delete node.properties['style'];
    const name = NAMES.find((_, index) => style.includes(colourOf(index)));
    if (name !== undefined) this.addClassToHast(node, `token-${name}`);
  },
};
