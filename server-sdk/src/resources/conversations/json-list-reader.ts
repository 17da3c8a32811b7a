const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Splits the text of one JSON object into the items of one of its lists, each as soon as its last character has
 * arrived, and everything else. Memory holds one item at a time, and no piece of text is read twice. Source: CV-9.
 *
 * It only finds where a part ends, by counting brackets outside of strings: each item, and the object around the
 * items, is read by `JSON.parse`. `push` and `end` throw a SyntaxError when the text is not a JSON object.
 */
export class JsonListReader {
  readonly #listKey: string;
  /** The object without the items, in parts. */
  readonly #frame: string[] = [];
  /** Bytes received since the last cut. */
  #pieces: string[] = [];
  /** Number of open brackets. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isInList = false;
  /** Next expected part of the list. `entry` is an item, or the list's end. */
  #next: 'entry' | 'item' | 'comma' = 'entry';
  #key: unknown = null;

  /** Whether the object's closing brace has been seen. */
  isComplete = false;
  /** Whether the object held the list. */
  hasList = false;

  constructor(listKey: string) {
    this.#listKey = listKey;
  }

  /** Reads the next piece of the text and returns the items it completes. */
  push(text: string): readonly unknown[] {
    const items: unknown[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (!this.#isCut(text.charCodeAt(at))) continue;
      const part = [...this.#pieces, text.slice(from, at)].join('');
      this.#pieces = [];
      from = at + 1;
      this.#cut(part, text.charAt(at), items);
    }
    this.#pieces.push(text.slice(from));
    return items;
  }

  /** The fields besides the list, once the text is over. */
  end(): Readonly<Record<string, unknown>> {
    const { [this.#listKey]: list, ...rest } = JSON.parse(this.#frame.join(''));
    return this.hasList ? rest : { ...rest, [this.#listKey]: list };
  }

  /** Reads one character; true for a mark that ends a key, a value of the object, or an item. */
  #isCut(code: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) this.#isInString = false;
      return false;
    }
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return false;
    if (this.#depth === 0 && (this.isComplete || code !== 0x7b))
      throw new SyntaxError(`Unexpected "${String.fromCharCode(code)}" beside the JSON object`);
    const level = this.#isInList ? 2 : 1;
    switch (code) {
      case QUOTE:
        this.#isInString = true;
        return false;
      case 0x7b: // {
      case 0x5b: // [
        this.#depth += 1;
        return this.#depth === 1 || (this.#depth === 2 && code === 0x5b && this.#key === this.#listKey);
      case 0x7d: // }
      case 0x5d: // ]
        this.#depth -= 1;
        return this.#depth === level - 1 || (this.#isInList && this.#depth === 2);
      case 0x3a: // :
        return this.#depth === 1;
      case 0x2c: // ,
        return this.#depth === level;
      default:
        return false;
    }
  }

  #cut(part: string, mark: string, items: unknown[]): void {
    if (this.#isInList) {
      this.#cutItem(part, mark, items);
      if (this.#isInList) return;
      this.#frame.push(mark);
    } else {
      this.#frame.push(part, mark);
      if (mark === '[') {
        this.#isInList = true;
        this.#next = 'entry';
        this.hasList = true;
      }
    }
    this.#key = mark === ':' ? JSON.parse(part) : null;
    this.isComplete = this.#depth === 0;
  }

  #cutItem(part: string, mark: string, items: unknown[]): void {
    const isEnd = this.#depth === 1;
    // An object's own last bracket, so that it is handed out before what follows it has arrived.
    const isBracket = !isEnd && mark !== ',';
    const isBlank = part.trim() === '';
    if (this.#next === 'comma') {
      if (isBracket || !isBlank) throw new SyntaxError('Two items of the list without a comma');
    } else if (!(this.#next === 'entry' && isEnd && isBlank)) {
      items.push(JSON.parse(isBracket ? part + mark : part));
    }
    this.#next = isBracket ? 'comma' : 'item';
    this.#isInList = !isEnd;
  }
}
