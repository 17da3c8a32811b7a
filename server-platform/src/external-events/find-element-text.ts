const NAME = '[\\p{L}_:][\\p{L}\\p{N}_:.\\-]*';
const OPEN = new RegExp(`<(${NAME})`, 'uy');
const ATTRIBUTE = new RegExp(`\\s+${NAME}\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'uy');
const OPEN_END = /\s*(\/?)>/y;
const CLOSE = new RegExp(`</(${NAME})\\s*>`, 'uy');
const TEXT = /[^<]+/y;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));|&/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The text of the first element at a path below the root element, trimmed; the path may begin with the root's name.
 * Null when there is none, and for what is no well-formed document.
 *
 * Reads elements, text, CDATA and the five built-in entities, nothing else: a document type declaration, and with it
 * every entity of one's own, is refused, so nothing is ever expanded or fetched. One pass, no recursion; the one thing
 * wanted of a document is one element's text, for which a library with a document model would be a larger risk than
 * these lines. Source: EE-2.
 */
export function findElementText(xml: string, path: readonly string[]): string | null {
  try {
    return scan(xml.replace(/^\uFEFF/, ''), path);
  } catch (error) {
    if (error instanceof XmlFault) return null;
    throw error;
  }
}

/** How many of the open elements stand before the path: the root, or none when the path begins with its name. */
const SKIPPED = [1, 0];

class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

function scan(xml: string, path: readonly string[]): string | null {
  const reader = new ElementReader(path);
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(xml);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  /** Skips to behind `end` and gives what stood before it. */
  const takeUntil = (start: string, end: string): string => {
    const stop = xml.indexOf(end, at + start.length);
    if (stop === -1) throw new XmlFault();
    const content = xml.slice(at + start.length, stop);
    at = stop + end.length;
    return content;
  };
  while (at < xml.length) {
    const text = take(TEXT);
    if (text !== null) reader.text(decode(text[0]));
    else if (xml.startsWith('<!--', at)) takeUntil('<!--', '-->');
    else if (xml.startsWith('<![CDATA[', at)) reader.cdata(takeUntil('<![CDATA[', ']]>'));
    else if (xml.startsWith('<?', at)) takeUntil('<?', '?>');
    else {
      const close = take(CLOSE);
      if (close !== null) {
        reader.close(close[1] ?? '');
        continue;
      }
      const open = take(OPEN);
      if (open === null) throw new XmlFault();
      for (let next = take(ATTRIBUTE); next !== null; next = take(ATTRIBUTE))
        decode(next[1] ?? next[2] ?? '');
      const end = take(OPEN_END);
      if (end === null) throw new XmlFault();
      reader.open(open[1] ?? '');
      if (end[1] === '/') reader.close(open[1] ?? '');
    }
  }
  return reader.finish();
}

/** Follows the elements and gathers the text of those at the path. */
class ElementReader {
  readonly #path: readonly string[];
  readonly #stack: string[] = [];
  #hasRoot = false;
  /** Found below the root, and found from the root's own name on. */
  readonly #found: (string | null)[] = [null, null];
  readonly #gathering: (number | null)[] = [null, null];
  /** How many names of the path the open elements agree with, in the same order as `#found`. */
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

  cdata(text: string): void {
    if (this.#stack.length === 0) throw new XmlFault();
    this.text(text);
  }

  finish(): string | null {
    if (this.#stack.length > 0 || !this.#hasRoot) throw new XmlFault();
    return (this.#found[0] ?? this.#found[1])?.trim() ?? null;
  }

  /**
   * Whether the element that was just opened is the last one of the path. Compares its own name only, so that a long
   * path costs no more than a short one.
   */
  #advance(index: number, skipped: number, name: string): boolean {
    const position = this.#stack.length - 1 - skipped;
    if (this.#agreeing[index] !== position || this.#path[position] !== name) return false;
    this.#agreeing[index] = position + 1;
    return position + 1 === this.#path.length;
  }
}

function decode(text: string): string {
  return text.replace(REFERENCE, (reference, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? '';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
    if (reference === '&' || !(code > 0 && code <= 0x10ffff)) throw new XmlFault();
    return String.fromCodePoint(code);
  });
}
