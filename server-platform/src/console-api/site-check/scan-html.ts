/** A start tag of a page. */
export interface HtmlTag {
  readonly kind: 'tag';
  /** In lower case. */
  readonly name: string;
  /** By name in lower case; the first of a name counts. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The content of an element that holds no tags, such as a script; else empty. */
  readonly text: string;
}

/** A start tag or a comment of a page, in the order of its source. */
export type HtmlToken = HtmlTag | { readonly kind: 'comment'; readonly text: string };

/** Elements whose content a browser with scripts reads as text, or keeps apart from the page. */
const OPAQUE: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'noscript',
  'iframe',
  'noembed',
  'noframes',
  'xmp',
  'template',
]);

const NAME = /[a-z][^\s/>]*/iy;
// Each part takes what the one before it cannot, so that a page of any kind is read in one pass.
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/y;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|quot|apos|lt|gt));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };
const MAX_CODE_POINT = 0x10ffff;
// No tag of a real page has as many; the rest of them is passed over.
const MAX_ATTRIBUTES = 1_000;

/** Yields the start tags and comments of a page, without those inside scripts, templates and texts. */
export function* scanHtml(html: string): Generator<HtmlToken> {
  // Of the same length, which `toLowerCase` does not promise.
  const lower = html.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  let at = html.indexOf('<');
  while (at !== -1) {
    if (html.startsWith('<!--', at)) {
      const end = endOf(html, '-->', at + 4);
      yield { kind: 'comment', text: html.slice(at + 4, end) };
      at = html.indexOf('<', end);
      continue;
    }
    NAME.lastIndex = at + 1;
    const [found] = NAME.exec(html) ?? [];
    if (found === undefined) {
      at = html.indexOf('<', at + 1);
      continue;
    }
    const name = found.toLowerCase();
    const { attributes, end: start } = readAttributes(html, NAME.lastIndex);
    const end = OPAQUE.has(name) ? endOf(lower, `</${name}`, start) : start;
    yield { kind: 'tag', name, attributes, text: html.slice(start, end) };
    at = html.indexOf('<', end);
  }
}

const endOf = (text: string, mark: string, from: number): number => {
  const end = text.indexOf(mark, from);
  return end === -1 ? text.length : end;
};

function readAttributes(
  html: string,
  from: number,
): { readonly attributes: ReadonlyMap<string, string>; readonly end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  while (attributes.size < MAX_ATTRIBUTES) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(html);
    if (match === null) break;
    at = ATTRIBUTE.lastIndex;
    const [, name = '', double, single, bare] = match;
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decode(double ?? single ?? bare ?? ''));
  }
  return { attributes, end: Math.min(endOf(html, '>', at) + 1, html.length) };
}

const decode = (text: string): string =>
  text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole;
  });
