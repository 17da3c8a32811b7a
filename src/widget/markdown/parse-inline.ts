import { UNSPACED_LETTERS } from '../links/unspaced-letters.ts';
import { decodeEntities, unescapeText } from './decode-entities.ts';
import { createRun, type InlineItem, resolveEmphasis } from './emphasis.ts';
import { hiddenTarget } from './hidden-target.ts';
import { type LinkTail, normalizeLabel, readReference, readTarget } from './read-link.ts';
import type { InlineTag, RichNode } from './rich-node.ts';

/** A host of such letters, such as 例え.jp, is one as a whole. */
const BARE_WEB_ADDRESS =
  `(?:https?:\\/\\/|www\\.)(?:(?=[${UNSPACED_LETTERS}])[^\\s<>"\`[\\]/?#\\u3000-\\u303f\\uff00-\\uff0f\\uff1a-\\uff65]+)?` +
  `[^\\s<>"\`[\\]${UNSPACED_LETTERS}]*`;

/** The constructs that are not plain text, in the order of the attempts. */
const TOKEN = new RegExp(
  [
    /\\([!-/:-@[-`{-~])/, // 1: an escaped character
    /(\\?\n[ \t]*|<br(?:\s[^<>]*)?\/?>\n?)/, // 2: a line break
    /(`+|<code(?:\s[^<>]*)?>)/, // 3: the beginning of code
    /(\*+|_+|~+)/, // 4: a delimiter run
    /(!?\[)/, // 5: the beginning of a link's label
    /(])/, // 6: its end
    // 7, 8, 9: an element and its address; the kinds of blocks have no meaning here
    /<(\/?)(a|b|i|em|strong|code|p|[uo]l|li)(?=[^<>]*>)(?:\s(?:[^<>]*(?<=\s)href\s*=\s*["']?([^\s"'<>]+))?[^<>]*)?\/?>/,
    /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)*)>/, // 10: an address in angle brackets
    // 11: a bare address, which `trimAddress` cuts; one of mail begins where no other character of it stands before.
    new RegExp(
      `(?<![a-z\\d])(${BARE_WEB_ADDRESS}|(?<![\\w.+-])[\\w.+-]+@(?:[\\w-]+\\.)+[\\w-]*[a-z\\d](?![\\w+-]))`,
    ),
    /(?:\\|<(?:\/?[a-z]{0,6}|[a-z]{1,6}\s[^<>]*))$/, // what a stream has only begun to send
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);
const ELEMENTS: Readonly<Record<string, InlineTag>> = {
  a: 'a',
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
};

/** Further open labels and elements are text, so that a search among them takes bounded time. */
const MAX_MARKS = 32;

/** Overrides, embeddings and isolates, with which a label could be shown in another order than it is written. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** How the text of one block is read. */
export interface InlineContext {
  /** True if a stream continues after this text. */
  readonly isOpen: boolean;
  /** Returns the address of a link definition, or `undefined` if there is none yet. */
  readonly findDefinition: (label: string) => string | undefined;
  /** Returns the address for the link, or `null` if it has to stay text. */
  readonly toHref: (address: string) => string | null;
}

/** An open label or element. A label's marker stays text if it is never closed. */
interface Mark {
  readonly kind: 'link' | 'image' | InlineTag;
  /** Index of the marker among the items. */
  readonly at: number;
  /** Index in the source at which the label begins. */
  readonly from: number;
  readonly href: string | null;
  /** False for a label around a link: links do not nest. */
  isActive: boolean;
}

/** Parses one block's text in one pass. Takes linear time, because a search for a closer that failed is not repeated. */
export function parseInline(source: string, context: InlineContext): RichNode[] {
  const parser = new InlineParser(source, context);
  parser.run();
  return parser.finish();
}

class InlineParser {
  readonly #source: string;
  readonly #context: InlineContext;
  #items: InlineItem[] = [];
  #marks: Mark[] = [];
  #index = 0;
  /** For each length of a run of backticks, where the last one of it begins. Made for the first code span. */
  #lastTicks: Map<number, number> | undefined;
  #hasOpenCode = false;
  #isAtEnd = false;

  constructor(source: string, context: InlineContext) {
    this.#source = source;
    this.#context = context;
  }

  run(): void {
    const source = this.#source;
    for (;;) {
      TOKEN.lastIndex = this.#index;
      const found = TOKEN.exec(source);
      const plain = source.slice(this.#index, found?.index);
      // Spaces before a line break are not text.
      this.#add(decodeEntities(found?.[2] ? plain.trimEnd() : plain));
      if (!found) return;
      this.#index = TOKEN.lastIndex;
      this.#readToken(found);
    }
  }

  finish(): RichNode[] {
    this.#isAtEnd = true;
    this.#unwind(0);
    return this.#resolve(this.#items);
  }

  #resolve(items: readonly InlineItem[]): RichNode[] {
    return resolveEmphasis(items, this.#isAtEnd && this.#context.isOpen);
  }

  #readToken(found: RegExpExecArray): void {
    const [token, escaped, lineBreak, code, run, label, labelEnd, slash, name, address, angled, bare] = found;
    const isGrowing = this.#context.isOpen && this.#index === this.#source.length;
    if (escaped) this.#add(escaped);
    else if (lineBreak) this.#items.push({ tag: 'br', children: [] });
    else if (code) this.#readCode(code);
    else if (run) this.#readRun(found.index, run, isGrowing);
    else if (label) this.#readLabel(label);
    else if (labelEnd) this.#readLabelEnd();
    else if (name) this.#readElement(name.toLowerCase(), slash === '/', address ?? '');
    else if (angled) this.#readAddress(token, angled);
    else if (bare) this.#readBareAddress(bare, isGrowing);
    else if (!this.#context.isOpen) {
      // Only its first character is certain to be text.
      this.#index = found.index + 1;
      this.#add(token.charAt(0));
    }
  }

  #add(text: string): void {
    if (text) this.#items.push(text);
  }

  #readRun(at: number, run: string, isGrowing: boolean): void {
    // At the end of a stream it may be half of a marker.
    if (isGrowing) return;
    this.#items.push(createRun(run, this.#source.charAt(at - 1), this.#source.charAt(at + run.length)));
  }

  #readCode(opener: string): void {
    const isElement = opener.startsWith('<');
    const end = isElement ? this.#findCodeEnd() : this.#findTicks(opener.length);
    if (end < 0 && !this.#context.isOpen) {
      if (!isElement) this.#add(opener);
      return;
    }
    const raw = this.#source.slice(this.#index, end < 0 ? undefined : end);
    const text = isElement ? decodeEntities(raw) : readCodeText(raw, end < 0);
    if (text) this.#items.push({ tag: 'code', children: [text] });
    const closerLength = isElement ? '</code>'.length : opener.length;
    this.#index = end < 0 ? this.#source.length : end + closerLength;
  }

  #findCodeEnd(): number {
    const closer = /<\/code>/gi;
    closer.lastIndex = this.#index;
    const end = this.#hasOpenCode ? -1 : (closer.exec(this.#source)?.index ?? -1);
    this.#hasOpenCode ||= end < 0;
    return end;
  }

  #findTicks(length: number): number {
    this.#lastTicks ??= new Map(
      [...this.#source.matchAll(/`+/g)].map((found) => [found[0].length, found.index]),
    );
    if ((this.#lastTicks.get(length) ?? -1) < this.#index) return -1;
    const ticks = /`+/g;
    ticks.lastIndex = this.#index;
    let found = ticks.exec(this.#source);
    while (found && found[0].length !== length) found = ticks.exec(this.#source);
    return found?.index ?? -1;
  }

  #open(kind: Mark['kind'], marker: string, href: string | null = null): void {
    this.#marks.push({ kind, at: this.#items.length, from: this.#index, href, isActive: true });
    this.#items.push(marker);
  }

  /** Replaces everything from a mark's marker on by one element. */
  #wrap({ at }: Mark, make: (children: RichNode[]) => readonly RichNode[]): void {
    const children = this.#resolve(this.#items.splice(at).slice(1));
    for (const node of make(children)) this.#items.push(node);
  }

  /** Ends the elements that are open inside the marks before `depth`, as browsers do; labels there stay text. */
  #unwind(depth: number): void {
    while (this.#marks.length > depth) {
      const mark = this.#marks.pop();
      if (mark && mark.kind !== 'link' && mark.kind !== 'image') this.#closeElement(mark);
    }
  }

  #readLabel(marker: string): void {
    if (this.#marks.length < MAX_MARKS) this.#open(marker === '[' ? 'link' : 'image', marker);
    else this.#add(marker);
  }

  #readLabelEnd(): void {
    const depth = this.#marks.findLastIndex(({ kind }) => kind === 'link' || kind === 'image');
    const mark = this.#marks[depth];
    const tail = mark?.isActive ? this.#readTail(mark) : null;
    if (!mark || !tail) {
      if (mark) this.#marks.splice(depth, 1);
      this.#add(']');
      return;
    }
    this.#unwind(depth + 1);
    this.#marks.length = depth;
    this.#index = tail.end;
    const href = tail.address === null ? null : this.#context.toHref(tail.address);
    this.#wrap(mark, (children) => toLink(mark.kind === 'image', href, children));
    if (mark.kind === 'image') return;
    for (const outer of this.#marks) if (outer.kind === 'link') outer.isActive = false;
  }

  /** Reads what follows a label: an address, or the label of a definition, which may be the label itself. */
  #readTail({ from }: Mark): LinkTail | null {
    const { isOpen, findDefinition } = this.#context;
    const target = readTarget(this.#source, this.#index, isOpen);
    if (target) return target;
    const reference = readReference(this.#source, this.#index);
    const ownEnd = this.#index - 1;
    // A label has no brackets inside, and at most 999 characters.
    const own = readReference(this.#source, from - 1);
    const isWhole = own?.end === ownEnd + 1;
    const label = reference?.label || (isWhole ? own.label : '');
    const address = label.trim() ? findDefinition(normalizeLabel(label)) : undefined;
    return address === undefined ? null : { address, end: reference?.end ?? this.#index };
  }

  #readElement(name: string, isEnd: boolean, address: string): void {
    const tag = ELEMENTS[name];
    const depth = this.#marks.findLastIndex(({ kind }) => kind === tag);
    const mark = this.#marks[depth];
    if (isEnd && mark) {
      this.#unwind(depth + 1);
      this.#marks.length = depth;
      this.#closeElement(mark);
    } else if (tag && !isEnd && !mark && this.#marks.length < MAX_MARKS) {
      this.#open(tag, '', tag === 'a' ? this.#context.toHref(unescapeText(address)) : null);
    }
  }

  #closeElement(mark: Mark): void {
    const { kind, href } = mark;
    this.#wrap(mark, (children) =>
      kind === 'a' ? toLink(false, href, children) : [{ tag: kind as InlineTag, children }],
    );
  }

  #isInLink(): boolean {
    return this.#marks.some(({ kind }) => kind === 'a');
  }

  #readAddress(token: string, address: string): void {
    const isMail = !/^[a-z][a-z\d+.-]*:/i.test(address);
    const href = this.#isInLink() ? null : this.#context.toHref(isMail ? `mailto:${address}` : address);
    if (href === null) this.#add(token);
    else this.#addLink(href, address.replace(/^(?:mailto|tel):/i, ''));
  }

  #readBareAddress(found: string, isGrowing: boolean): void {
    const isMail = !/^(?:https?:|www\.)/i.test(found);
    const address = isMail ? found : trimAddress(found);
    this.#index -= found.length - address.length;
    const href =
      isGrowing || this.#isInLink() ? null : this.#context.toHref(isMail ? `mailto:${address}` : address);
    if (href === null) this.#add(decodeEntities(address));
    else this.#addLink(href, decodeEntities(address));
  }

  #addLink(href: string, text: string): void {
    this.#items.push({ tag: 'a', children: [text.replace(DIRECTION_CONTROLS, '')], href });
  }
}

/** A code span's text: line breaks are spaces, and one space on each side belongs to the marker. */
function readCodeText(raw: string, isOpen: boolean): string {
  const text = raw.replaceAll('\n', ' ');
  if (isOpen) return text.replace(/(?<!`)`+$/, '').trim();
  return text.startsWith(' ') && text.endsWith(' ') && text.trim() ? text.slice(1, -1) : text;
}

/**
 * A link holds no other link; a picture is a link with its description as text. A label that looks like another address is
 * followed by where the link leads.
 */
function toLink(isImage: boolean, href: string | null, children: readonly RichNode[]): readonly RichNode[] {
  const inside = (isImage ? [textOf(children)].filter(Boolean) : children).flatMap(withoutLinks);
  if (href === null) return inside;
  const hidden = hiddenTarget(textOf(inside), href);
  const shown = hidden === null ? inside : [...inside, ` (${hidden})`];
  return [{ tag: 'a', children: inside.length > 0 ? shown : [href], href }];
}

function withoutLinks(node: RichNode): readonly RichNode[] {
  if (typeof node === 'string') return [node.replace(DIRECTION_CONTROLS, '')];
  const children = node.children.flatMap(withoutLinks);
  return node.tag === 'a' ? children : [{ ...node, children }];
}

function textOf(nodes: readonly RichNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : node.tag === 'br' ? ' ' : textOf(node.children)))
    .join('');
}

/** Punctuation, also of other scripts, and signs without a shape. */
const END_OF_SENTENCE = /[.,:!?'*_~]|[^\P{P}!-~]|\p{Cf}/u;

/** Removes the end of an address that belongs to the sentence: punctuation, a character reference, unopened brackets. */
function trimAddress(found: string): string {
  let excess = found.split(')').length - found.split('(').length;
  let end = found.length;
  for (;;) {
    const last = found.charAt(end - 1);
    if (last === ')' && excess > 0) excess -= 1;
    else if (last === ';') {
      const reference = /&[a-z\d]+;$/i.exec(found.slice(Math.max(0, end - 32), end));
      end -= (reference?.[0].length ?? 1) - 1;
    } else if (!END_OF_SENTENCE.test(last)) return found.slice(0, end);
    end -= 1;
  }
}
