/*
 * Reads `{ …, "<list>": [ … ], … }` while it arrives.
 *
 *   state    expects                          then
 *   start    {                                firstKey
 *   firstKey a key, or }                      colon | done
 *   key      a key                            colon
 *   colon    :                                value
 *   value    the list's [, or any value       firstItem | next
 *   next     , or }                           key | done
 *   firstItem an item, or ]                   nextItem | next
 *   item     an item                          nextItem
 *   nextItem , or ]                           item | next
 *   done     nothing
 *
 * A key, an item and any other value is one token: it is collected until its end is seen and then parsed whole.
 */
type State =
  | 'start'
  | 'firstKey'
  | 'key'
  | 'colon'
  | 'value'
  | 'next'
  | 'firstItem'
  | 'item'
  | 'nextItem'
  | 'done';

type TokenKind = 'string' | 'container' | 'scalar';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Splits the text of one JSON object into the items of one of its lists, each as soon as its last character has
 * arrived, and everything else. Memory holds one item at a time. Source: CV-9.
 *
 * `push` and `end` throw a SyntaxError when the text is not a JSON object.
 */
export class JsonListReader {
  readonly #listKey: string;
  readonly #fields = new Map<string, unknown>();
  #state: State = 'start';
  #key = '';
  #tokenKind: TokenKind | null = null;
  #pieces: string[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(listKey: string) {
    this.#listKey = listKey;
  }

  /** Takes the next piece of the text and returns the items it completes. */
  push(text: string): readonly unknown[] {
    const items: unknown[] = [];
    let index = 0;
    while (index < text.length) {
      if (this.#tokenKind === null) {
        index = this.#readMark(text, index);
        continue;
      }
      const end = this.#findTokenEnd(text, index);
      this.#pieces.push(text.slice(index, end ?? text.length));
      if (end === null) break;
      index = end;
      this.#finishToken(items);
    }
    return items;
  }

  /** The fields besides the list, once the text is over. */
  end(): Readonly<Record<string, unknown>> {
    if (this.#state !== 'done') throw new SyntaxError('The JSON object is not complete');
    return Object.fromEntries(this.#fields);
  }

  /** Whether the object's closing brace has been seen. */
  get isComplete(): boolean {
    return this.#state === 'done';
  }

  /** Whether the object held the list. */
  get hasList(): boolean {
    return this.#hasList;
  }
  #hasList = false;

  #readMark(text: string, index: number): number {
    const mark = text.charAt(index);
    if (mark === ' ' || mark === '\n' || mark === '\r' || mark === '\t') return index + 1;
    const next = this.#followMark(mark);
    if (next !== null) {
      this.#state = next;
      return index + 1;
    }
    this.#startToken(mark);
    return index;
  }

  /** The state after a mark; null when it begins a token. */
  #followMark(mark: string): State | null {
    switch (this.#state) {
      case 'start':
        return mark === '{' ? 'firstKey' : this.#refuse(mark);
      case 'firstKey':
        return mark === '}' ? 'done' : null;
      case 'colon':
        return mark === ':' ? 'value' : this.#refuse(mark);
      case 'value':
        if (mark !== '[' || this.#key !== this.#listKey) return null;
        this.#hasList = true;
        return 'firstItem';
      case 'next':
        return mark === ',' ? 'key' : mark === '}' ? 'done' : this.#refuse(mark);
      case 'firstItem':
        return mark === ']' ? 'next' : null;
      case 'nextItem':
        return mark === ',' ? 'item' : mark === ']' ? 'next' : this.#refuse(mark);
      case 'done':
        return this.#refuse(mark);
      case 'key':
      case 'item':
        return null;
    }
  }

  #startToken(mark: string): void {
    const isKey = this.#state === 'firstKey' || this.#state === 'key';
    if (isKey && mark !== '"') this.#refuse(mark);
    if (mark === ',' || mark === ']' || mark === '}' || mark === ':') this.#refuse(mark);
    this.#tokenKind = mark === '"' ? 'string' : mark === '{' || mark === '[' ? 'container' : 'scalar';
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
  }

  /** The index after the token's last character; null when it goes on in the next piece. */
  #findTokenEnd(text: string, from: number): number | null {
    if (this.#tokenKind === 'scalar') {
      for (let index = from; index < text.length; index += 1) {
        if (',]} \n\r\t'.includes(text.charAt(index))) return index;
      }
      return null;
    }
    for (let index = from; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === BACKSLASH) this.#isEscaped = true;
        else if (code === QUOTE) {
          this.#isInString = false;
          if (this.#depth === 0) return index + 1;
        }
      } else if (code === QUOTE) this.#isInString = true;
      else if (code === 0x7b || code === 0x5b) this.#depth += 1;
      else if (code === 0x7d || code === 0x5d) {
        this.#depth -= 1;
        if (this.#depth === 0) return index + 1;
      }
    }
    return null;
  }

  #finishToken(items: unknown[]): void {
    const value: unknown = JSON.parse(this.#pieces.join(''));
    this.#pieces = [];
    this.#tokenKind = null;
    if (this.#state === 'firstItem' || this.#state === 'item') {
      items.push(value);
      this.#state = 'nextItem';
    } else if (this.#state === 'value') {
      this.#fields.set(this.#key, value);
      this.#state = 'next';
    } else {
      this.#key = String(value);
      this.#state = 'colon';
    }
  }

  #refuse(mark: string): never {
    throw new SyntaxError(`Unexpected ${JSON.stringify(mark)} in the JSON object`);
  }
}
