/** The part of a line that is not read yet. Columns count tabs as the spaces that they stand for. */
export class LineCursor {
  #rest: string;
  #column = 0;

  constructor(line: string) {
    this.#rest = line;
  }

  get rest(): string {
    return this.#rest;
  }

  /** The columns of white space that come next. */
  indent(): number {
    return indentOf(this.#rest, this.#column);
  }

  isBlank(): boolean {
    return !this.#rest.trim();
  }

  /** The rest without `count` columns of white space. */
  without(count: number): string {
    return stripColumns(this.#rest, this.#column, count);
  }

  /** Skips white space of at most `most` columns. */
  strip(most: number): void {
    const count = Math.min(most, this.indent());
    this.#rest = this.without(count);
    this.#column += count;
  }

  /** Skips `length` characters of a marker, and the white space before it. */
  skip(length: number): void {
    this.strip(this.indent());
    this.#rest = this.#rest.slice(length);
    this.#column += length;
  }
}

/** The columns that the white space at the start of `text` takes, if `text` starts in `column`. Tabs stop at every fourth. */
function indentOf(text: string, column: number): number {
  let end = column;
  for (const character of text) {
    if (character === '\t') end += 4 - (end % 4);
    else if (character === ' ') end += 1;
    else break;
  }
  return end - column;
}

/** Removes `count` columns of white space, or as many as there are. The rest of a tab becomes spaces. */
function stripColumns(text: string, column: number, count: number): string {
  let at = 0;
  let taken = 0;
  for (; taken < count; at += 1) {
    if (text[at] === '\t') taken += 4 - ((column + taken) % 4);
    else if (text[at] === ' ') taken += 1;
    else break;
  }
  return ' '.repeat(Math.max(0, taken - count)) + text.slice(at);
}
