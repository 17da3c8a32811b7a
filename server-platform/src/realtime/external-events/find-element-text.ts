import { SLICE_CHARACTERS, type Slices } from './run-in-slices.ts';

const NAME = '[\\p{L}_:][\\p{L}\\p{N}_:.\\-]*';
const OPEN = new RegExp(`<(${NAME})`, 'uy');
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(["'])`, 'uy');
const ATTRIBUTE_TEXT: Readonly<Record<string, RegExp>> = { '"': /[^"<&]+/y, "'": /[^'<&]+/y };
const OPEN_END = /\s*(\/?)>/y;
const CLOSE = new RegExp(`</(${NAME})\\s*>`, 'uy');
const TEXT = /[^<&]+/y;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/y;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Returns the trimmed text of the first element at a path below the root element; the path may also start with the
 * root's name. Names match with or without prefix, and `@name` at the end of the path selects an attribute. Null when
 * nothing matches, and for a malformed document.
 *
 * Reads elements, text, CDATA and the five built-in entities, nothing else: a document type declaration, and with it
 * every custom entity, is refused, so nothing is ever expanded or fetched. One pass, no recursion; the one thing
 * wanted of a document is one element's text, for which a library with a document model would be a larger risk than
 * these lines. Source: EE-2.
 */
export function* findElementText(xml: string, path: readonly string[]): Slices<string | null> {
  try {
    return yield* scan(xml.replace(/^\uFEFF/, ''), path);
  } catch (error) {
    if (error instanceof XmlFault) return null;
    throw error;
  }
}

/** Number of open elements that precede the path: the root, or none when the path starts with its name. */
const SKIPPED = [1, 0];

class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

function* scan(xml: string, path: readonly string[]): Slices<string | null> {
  const elements = new ElementReader(path);
  const input = new Input(xml);
  for (let pause = SLICE_CHARACTERS; !input.isAtEnd; ) {
    if (input.at >= pause) {
      pause = input.at + SLICE_CHARACTERS;
      yield;
    }
    const text = input.takeText(TEXT);
    if (text !== null) elements.text(text);
    else if (input.startsWith('<!--')) input.takeUntil('<!--', '-->');
    else if (input.startsWith('<![CDATA[')) elements.cdata(input.takeUntil('<![CDATA[', ']]>'));
    else if (input.startsWith('<?')) input.takeUntil('<?', '?>');
    else {
      const close = input.take(CLOSE);
      if (close === null) yield* scanTag(input, elements);
      else elements.close(close[1] ?? '');
    }
  }
  return elements.finish();
}

/** Reads `<name a="1">` or `<name/>`. */
function* scanTag(input: Input, elements: ElementReader): Slices<void> {
  const name = input.take(OPEN)?.[1];
  if (name === undefined) throw new XmlFault();
  elements.open(name);
  let pause = input.at + SLICE_CHARACTERS;
  for (let next = input.take(ATTRIBUTE); next !== null; next = input.take(ATTRIBUTE)) {
    const [, attribute = '', quote = ''] = next;
    elements.open(`@${attribute}`);
    while (!input.startsWith(quote)) {
      const text = input.takeText(ATTRIBUTE_TEXT[quote] ?? TEXT);
      if (text === null) throw new XmlFault();
      elements.attributeText(text);
      if (input.at < pause) continue;
      pause = input.at + SLICE_CHARACTERS;
      yield;
    }
    elements.close(`@${attribute}`);
    input.at += quote.length;
  }
  const end = input.take(OPEN_END);
  if (end === null) throw new XmlFault();
  if (end[1] === '/') elements.close(name);
}

/** A document and the reading position. */
class Input {
  at = 0;
  readonly #xml: string;

  constructor(xml: string) {
    this.#xml = xml;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#xml.length;
  }

  startsWith(text: string): boolean {
    return this.#xml.startsWith(text, this.at);
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#xml);
    if (match !== null) this.at = pattern.lastIndex;
    return match;
  }

  /** Reads text until a character outside the pattern, or one character reference. */
  takeText(pattern: RegExp): string | null {
    const text = this.take(pattern)?.[0];
    if (text !== undefined) return text;
    if (!this.startsWith('&')) return null;
    const [, decimal, hex, name] = this.take(REFERENCE) ?? [];
    if (name !== undefined) return ENTITIES[name] ?? '';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
    if (!(code > 0 && code <= 0x10ffff)) throw new XmlFault();
    return String.fromCodePoint(code);
  }

  /** Skips past `end` and returns the text before it. */
  takeUntil(start: string, end: string): string {
    const stop = this.#xml.indexOf(end, this.at + start.length);
    if (stop === -1) throw new XmlFault();
    const content = this.#xml.slice(this.at + start.length, stop);
    this.at = stop + end.length;
    return content;
  }
}

/** Tracks the open elements and collects the text of those at the path. */
class ElementReader {
  readonly #path: readonly string[];
  readonly #stack: string[] = [];
  #hasRoot = false;
  /** Matches of a path below the root, and of one that starts with the root's name. */
  readonly #found: (string | null)[] = [null, null];
  readonly #gathering: (number | null)[] = [null, null];
  /** Number of path names that the open elements match, in the same order as `#found`. */
  readonly #agreeing: number[] = [0, 0];

  constructor(path: readonly string[]) {
    this.#path = path;
  }

  open(name: string): void {
    if (this.#stack.length === 0 && this.#hasRoot) throw new XmlFault();
    this.#hasRoot = true;
    this.#stack.push(name);
    for (const [index, skipped] of SKIPPED.entries()) {
      const isAtPath = this.#advance(index, skipped, name);
      if (this.#found[index] !== null || !isAtPath) continue;
      this.#found[index] = '';
      this.#gathering[index] = this.#stack.length;
    }
  }

  close(name: string): void {
    for (const index of [0, 1])
      if (this.#gathering[index] === this.#stack.length) this.#gathering[index] = null;
    if (this.#stack.pop() !== name) throw new XmlFault();
    for (const [index, skipped] of SKIPPED.entries())
      this.#agreeing[index] = Math.min(this.#agreeing[index] ?? 0, Math.max(0, this.#stack.length - skipped));
  }

  text(text: string): void {
    if (this.#stack.length === 0 && text.trim() !== '') throw new XmlFault();
    for (const index of [0, 1])
      if (this.#gathering[index] !== null) this.#found[index] = `${this.#found[index] ?? ''}${text}`;
  }

  /** Handles the attribute's own text, not that of the element around it. */
  attributeText(text: string): void {
    for (const index of [0, 1])
      if (this.#gathering[index] === this.#stack.length)
        this.#found[index] = `${this.#found[index] ?? ''}${text}`;
  }

  cdata(text: string): void {
    if (this.#stack.length === 0) throw new XmlFault();
    this.text(text);
  }

  finish(): string | null {
    if (this.#stack.length > 0 || !this.#hasRoot) throw new XmlFault();
    return (this.#found[0] ?? this.#found[1])?.trim() ?? null;
  }

  /**
   * Whether the element just opened is the last one of the path. Compares only its own name, so that a long path costs
   * no more than a short one.
   */
  #advance(index: number, skipped: number, name: string): boolean {
    const position = this.#stack.length - 1 - skipped;
    if (this.#agreeing[index] !== position || !isNamed(name, this.#path[position])) return false;
    this.#agreeing[index] = position + 1;
    return position + 1 === this.#path.length;
  }
}

/** Whether an element or attribute has this name, with or without its prefix. */
function isNamed(name: string, wanted: string | undefined): boolean {
  return name === wanted || name.replace(/^(@?)[^:]*:/, '$1') === wanted;
}
