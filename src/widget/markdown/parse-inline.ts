import { decodeEntities } from './decode-entities.ts';
import type { InlineTag, RichNode } from './rich-node.ts';
import { toSafeHref } from './safe-href.ts';

/** Everything that is not plain text, in the order in which it is tried. Groups are numbered as in `parseInline`. */
const TOKEN = new RegExp(
  [
    /\\([!-/:-@[-`{-~])/, // 1: an escaped character
    /(\\?\n|<br(?:\s[^<>]*)?\/?>\n?)/, // 2: a line break
    /((?<!`)`{1,8}(?!`)|<code(?:\s[^<>]*)?>)/, // 3: the beginning of code; a longer run is text
    /((?<!\*)\*{1,3}(?!\*)|(?<!_)_{1,3}(?!_))/, // 4: emphasis; a longer run is text
    /(!?\[)/, // 5: the beginning of a link's label
    /(])/, // 6: its end
    // 7, 8, 9: an element and its address; those of blocks say nothing here
    /<(\/?)(a|b|i|em|strong|code|p|[uo]l|li)(?=[^<>]*>)(?:\s(?:[^<>]*(?<=\s)href\s*=\s*["']?([^\s"'<>]+))?[^<>]*)?\/?>/,
    /<((?:https?|mailto|tel):[^\s<>]+)>/, // 10: an address in angle brackets
    // 11: a bare address. The punctuation after it belongs to the sentence, and so does a bracket it did not open.
    /(?<![a-z\d])(https?:\/\/(?:[^\s<>"`[\]()]|\([^\s<>"`[\]()]*\))*(?<![.,;:!?'*_~]))/,
    /(?:\\|<(?:\/?[a-z]{0,6}|[a-z]{1,6}\s[^<>]*))$/, // what a stream has only begun to say
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);
/** `(address "title")`, or as much of it as has come: then the last group is empty. */
const TARGET =
  /\(\s*(?!\s)<?((?:[^\s()<>]|\([^\s()]*(?:\)|$))*)>?(?:\s+(?:"[^"]*(?:"|$)|'[^']*(?:'|$)))?\s*(\)|$)/y;
const WORD = /[\p{L}\p{N}]/u;
const ELEMENTS: Readonly<Record<string, InlineTag>> = {
  a: 'a',
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
};

/** Open labels beyond this are text: so few marks that looking through them costs nothing. */
const MAX_MARKS = 32;

/** Something open. Its marker stands as text among the nodes, and stays that if it is never closed. */
interface Mark {
  /** `**`, `_`, `[`, `<em`: no two open marks have the same, except `[`. */
  readonly key: string;
  readonly tag: InlineTag;
  /** Where the marker stands. */
  readonly at: number;
  href: string | null;
}

/**
 * Parses one block's text in one pass. With `isOpen` the text is the end of a stream: what is begun but not
 * closed is shown as if it were closed, and a half-written marker at the very end is not shown at all.
 *
 * No search for a closer is repeated once it failed, which is what keeps hostile input linear.
 */
export function parseInline(source: string, isOpen: boolean): RichNode[] {
  const nodes: RichNode[] = [];
  let marks: Mark[] = [];
  const unclosed = new Set<string>();
  let index = 0;

  const add = (text: string): void => {
    if (text) nodes.push(text);
  };
  const findMark = (key: string) => marks.findLast((mark) => mark.key === key);
  const isInLink = () => marks.some(({ tag }) => tag === 'a');
  // Links do not nest: what was opened further out stays text.
  const forgetLabels = (): void => {
    marks = marks.filter(({ key }) => key !== '[');
  };

  function open(key: string, tag: InlineTag, marker = key, href: string | null = null): void {
    marks.push({ key, tag, at: nodes.length, href });
    nodes.push(marker);
  }

  /** Ends what is open inside `mark`, or at all: HTML as in a browser, the rest only where a stream goes on. */
  function unwind(mark?: Mark): void {
    for (let inner = marks.pop(); inner && inner !== mark; inner = marks.pop()) {
      if (inner.key.startsWith('<') || (isOpen && !mark && inner.key !== '[')) wrap(inner);
    }
  }

  function close(mark: Mark): void {
    unwind(mark);
    wrap(mark);
  }

  function wrap({ tag, at, href }: Mark): void {
    if (tag === 'a' && !href) nodes.splice(at, 1);
    else {
      const [, ...children] = nodes.splice(at);
      nodes.push(href ? { tag, children: children.length > 0 ? children : [href], href } : { tag, children });
    }
  }

  function readCode(opener: string): void {
    const isElement = opener.startsWith('<');
    const closing = isElement ? '</code>' : `(?<!\`)${opener}(?!\`)`;
    const closer = new RegExp(closing, 'gi');
    closer.lastIndex = index;
    const end = unclosed.has(closing) ? null : closer.exec(source);
    if (!end && !isOpen) {
      unclosed.add(closing);
      if (!isElement) add(opener);
      return;
    }
    const raw = source.slice(index, end?.index);
    const text = isElement
      ? decodeEntities(raw)
      : raw
          .replace(/(?<!`)`+$/, '')
          .replaceAll('\n', ' ')
          .replace(/^ (.+) $/, '$1');
    if (text) nodes.push({ tag: 'code', children: [text] });
    index = end ? closer.lastIndex : source.length;
  }

  function readEmphasis(run: string): void {
    const before = source.charAt(index - run.length - 1);
    const after = source.charAt(index);
    const isOutside = (neighbour: string) => run.startsWith('*') || !WORD.test(neighbour);
    let rest = run;
    while (rest && before.trim() && isOutside(after)) {
      const mark = findMark(rest) ?? marks.findLast(({ key }) => rest.startsWith(key));
      if (!mark) break;
      close(mark);
      rest = rest.slice(mark.key.length);
    }
    while (rest && after.trim() && isOutside(before)) {
      const key = rest.slice(0, 2);
      if (findMark(key)) break;
      open(key, key.length > 1 ? 'strong' : 'em');
      rest = rest.slice(key.length);
    }
    // At the end of a stream the rest may be half of a marker.
    if (after || !isOpen) add(rest);
  }

  function readLabelEnd(): void {
    const mark = findMark('[');
    TARGET.lastIndex = index;
    const target = mark && TARGET.exec(source);
    if (mark && target && (target[2] || isOpen)) {
      mark.href = target[2] ? toSafeHref(decodeEntities(target[1] ?? '')) : null;
      close(mark);
      forgetLabels();
      index = TARGET.lastIndex;
    } else {
      marks = marks.filter((other) => other !== mark);
      add(']');
    }
  }

  function readElement(name: string, isEnd: boolean, address: string): void {
    const tag = ELEMENTS[name];
    const key = `<${tag}`;
    const mark = findMark(key);
    if (isEnd && mark) close(mark);
    if (!tag || isEnd || mark) return;
    if (tag === 'a') forgetLabels();
    open(key, tag, '', toSafeHref(decodeEntities(address)));
  }

  function readAddress(token: string, address: string, isGrowing: boolean): void {
    const href = isInLink() || isGrowing ? null : toSafeHref(address);
    const text = address.replace(/^(?:mailto|tel):/i, '');
    if (href) nodes.push({ tag: 'a', children: [text], href });
    else add(token);
  }

  for (;;) {
    TOKEN.lastIndex = index;
    const found = TOKEN.exec(source);
    add(decodeEntities(source.slice(index, found?.index)));
    if (!found) break;
    const [token, escaped, lineBreak, code, run, label, labelEnd, slash, name, address, angled, bare] = found;
    index = TOKEN.lastIndex;
    if (escaped) add(escaped);
    else if (lineBreak) nodes.push({ tag: 'br', children: [] });
    else if (code) readCode(code);
    else if (run) readEmphasis(run);
    else if (label && marks.length < MAX_MARKS && !findMark('<a')) open('[', 'a', label);
    else if (labelEnd) readLabelEnd();
    else if (name) readElement(name.toLowerCase(), slash === '/', address ?? '');
    else if (angled) readAddress(token, angled, false);
    else if (bare) readAddress(token, bare, isOpen && index === source.length);
    else if (label || !isOpen) {
      // Only its first character is certain to be text.
      index = found.index + 1;
      add(token.charAt(0));
    }
  }
  unwind();
  return nodes;
}
