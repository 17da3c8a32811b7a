import { type BlockDraft, createDraft, createRow } from './block-draft.ts';
import {
  FENCE,
  HEADING,
  isFirstMarker,
  isRule,
  MARKER,
  OPEN_TASK,
  SETEXT,
  TASK,
  UNDECIDED,
} from './block-markers.ts';
import { LineCursor } from './line-cursor.ts';
import {
  CODE_INDENT,
  type Container,
  type Leaf,
  matchContainer,
  type Paragraph,
  skipQuoteMarker,
  textOfCode,
} from './open-block.ts';
import type { Definition } from './parse-blocks.ts';
import { readDefinitions } from './read-link.ts';
import { type Alignment, countTableLines, readAlignment, splitRow } from './read-table.ts';
import { matchTags, startsWithTag } from './read-tags.ts';

/** Deeper quotes and lists stay text, because each line is compared with all open containers. */
const MAX_DEPTH = 8;

/** Reads the block structure of lines, one line at a time. Source: CommonMark 0.31.2, appendix "A parsing strategy". */
export class BlockReader {
  readonly #lines: readonly string[];
  readonly #isOpen: boolean;
  readonly #root: BlockDraft = createDraft('blockquote', 0);
  readonly #definitions = new Map<string, Definition>();
  #containers: Container[] = [];
  #leaf: Leaf | null = null;
  #line = 0;
  #cursor = new LineCursor('');
  /** Number of containers that the line is inside of. */
  #depth = 0;
  #isAfterBlank = false;
  /** Depth of the innermost quote around the last line. A blank line counts for the containers inside of that quote only. */
  #blankDepth = 0;

  constructor(lines: readonly string[], isOpen: boolean) {
    this.#lines = lines;
    this.#isOpen = isOpen;
  }

  read(): { drafts: readonly BlockDraft[]; definitions: ReadonlyMap<string, Definition> } {
    for (; this.#line < this.#lines.length; this.#line += 1) {
      const line = this.#lines[this.#line] ?? '';
      // The text ends with a line feed, so there is no further line.
      if (!line && this.#isLastLine()) break;
      this.#cursor = new LineCursor(line.endsWith('\r') ? line.slice(0, -1) : line);
      this.#readLine();
    }
    this.#closeTo(0, true);
    return { drafts: this.#root.children, definitions: this.#definitions };
  }

  #isLastLine(): boolean {
    return this.#line >= this.#lines.length - 1;
  }

  #readLine(): void {
    const quoteDepth = this.#matchContainers();
    const isInside = this.#depth === this.#containers.length;
    if (isInside && this.#readCode()) {
      this.#isAfterBlank = this.#leaf?.kind === 'indented' && this.#cursor.isBlank();
      this.#blankDepth = quoteDepth;
    } else if (this.#cursor.isBlank()) {
      this.#closeTo(this.#depth);
      this.#isAfterBlank = true;
      this.#blankDepth = quoteDepth;
    } else {
      const isUndecided = this.#isOpen && this.#isLastLine() && UNDECIDED.test(this.#cursor.rest);
      if (!isUndecided) this.#readBlocks();
      this.#isAfterBlank = false;
    }
  }

  /** Skips the markers of the containers that the line is inside of. Returns the depth of the innermost quote among them. */
  #matchContainers(): number {
    let quoteDepth = 0;
    this.#depth = 0;
    for (const container of this.#containers) {
      if (!matchContainer(container, this.#cursor, this.#isAfterBlank)) break;
      this.#depth += 1;
      if (container.kind === 'quote') quoteDepth = this.#depth;
    }
    return quoteDepth;
  }

  /** Adds the line to the open code block, or ends it. False if none is open or the line is not of it. */
  #readCode(): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind === 'indented') {
      if (this.#cursor.indent() < CODE_INDENT && !this.#cursor.isBlank()) return false;
      leaf.lines.push(this.#cursor.without(CODE_INDENT));
      return true;
    }
    if (leaf?.kind !== 'fence') return false;
    const mark = this.#cursor.rest.trim();
    const isEnd = mark.startsWith(leaf.mark) && !mark.replaceAll(leaf.mark.charAt(0), '');
    if (isEnd && this.#cursor.indent() < CODE_INDENT) this.#closeLeaf();
    else leaf.lines.push(this.#cursor.without(leaf.indent));
    return true;
  }

  #readBlocks(): void {
    while (this.#readContainer());
    const text = this.#cursor.rest.trim();
    const paragraph = this.#leaf?.kind === 'paragraph' ? this.#leaf : null;
    const isInside = this.#depth === this.#containers.length;
    const isHtml = startsWithTag(text) || this.#containers[this.#depth - 1]?.kind === 'html';
    if (this.#cursor.indent() >= CODE_INDENT && !isHtml) {
      if (paragraph) paragraph.lines.push(this.#cursor.rest.trimStart());
      else if (text) this.#openCode();
    } else if (!this.#readLeaf(text, isInside ? paragraph : null)) {
      // A line of text continues a paragraph even outside the paragraph's containers.
      const isContinued = paragraph ? !startsWithTag(text) : isInside && this.#leaf?.kind === 'table';
      if (!isContinued) this.#closeTo(this.#depth);
      this.#readText(text);
    }
  }

  /** Opens the quote or list item that begins here, if one does. */
  #readContainer(): boolean {
    const indent = this.#cursor.indent();
    const text = this.#cursor.rest.trimStart();
    if (this.#depth >= MAX_DEPTH || indent >= CODE_INDENT) return false;
    if (text.startsWith('>')) {
      this.#closeTo(this.#depth);
      const draft = this.#add(createDraft('blockquote', this.#line));
      this.#push({ kind: 'quote', draft, list: null, markerIndent: 0, indent: 0 });
      return skipQuoteMarker(this.#cursor);
    }
    const marker = MARKER.exec(text);
    if (!marker || isRule(text)) return false;
    const isInParagraph = this.#leaf?.kind === 'paragraph' && this.#depth === this.#containers.length;
    const isEmpty = text.length === marker[0].length || !text.slice(marker[0].length).trim();
    if (isInParagraph && (isEmpty || !isFirstMarker(text))) return false;
    this.#openItem(marker, indent, isEmpty);
    return true;
  }

  #openItem([marker, digits, end]: RegExpExecArray, markerIndent: number, isEmpty: boolean): void {
    this.#closeTo(this.#depth);
    this.#cursor.skip(marker.length);
    const spaces = this.#cursor.indent();
    const gap = isEmpty || spaces > CODE_INDENT ? 1 : spaces;
    this.#cursor.strip(gap);
    const kind = end ?? marker;
    const last = this.#innermost().children.at(-1);
    let list = last?.marker === kind ? last : null;
    if (list && this.#isBlankBetween()) list.isLoose = true;
    const start = digits ? Number(digits) : undefined;
    list ??= this.#add(createDraft(digits ? 'ol' : 'ul', this.#line, { marker: kind, start }));
    const draft = createDraft('li', this.#line);
    list.children.push(draft);
    const indent = markerIndent + marker.length + gap;
    this.#push({ kind: 'item', draft, list, markerIndent, indent });
  }

  #push(container: Container): void {
    this.#containers.push(container);
    this.#depth += 1;
    this.#isAfterBlank = false;
  }

  #innermost(): BlockDraft {
    return this.#containers.at(-1)?.draft ?? this.#root;
  }

  #isBlankBetween(): boolean {
    return this.#isAfterBlank && this.#containers.length >= this.#blankDepth;
  }

  /** Adds a block to the innermost container. */
  #add(draft: BlockDraft): BlockDraft {
    const container = this.#containers.at(-1);
    if (container?.kind === 'html' && container.draft === container.list) this.#addHtmlItem(container);
    const { children } = this.#innermost();
    if (container?.list && children.length > 0 && this.#isBlankBetween()) container.list.isLoose = true;
    children.push(draft);
    return draft;
  }

  /** Reads a line that is a whole block, or begins one. False for text. */
  #readLeaf(text: string, paragraph: Paragraph | null): boolean {
    const heading = HEADING.exec(text);
    const fence = FENCE.exec(text);
    if (paragraph && SETEXT.test(text) && this.#readSetext(paragraph)) return true;
    if (paragraph && this.#readTableRule(paragraph, text)) return true;
    if (heading) {
      this.#closeTo(this.#depth);
      const [, signs = '', title = ''] = heading;
      const titleText = title.replace(/(?:^|[ \t])#+$/, '').trim();
      const more = { text: titleText, isOpen: this.#isOpen && this.#isLastLine() };
      this.#add(createDraft(signs.length < 3 ? 'h3' : 'h4', this.#line, more));
    } else if (fence) {
      const indent = this.#cursor.indent();
      this.#closeTo(this.#depth);
      const draft = this.#add(createDraft('pre', this.#line));
      this.#leaf = { kind: 'fence', draft, mark: fence[1] ?? fence[2] ?? '', indent, lines: [] };
    } else if (isRule(text)) {
      this.#closeTo(this.#depth);
      this.#add(createDraft('hr', this.#line));
    } else return false;
    return true;
  }

  /** Reads a line that turns the paragraph above it into a heading, unless that holds link definitions only. */
  #readSetext(paragraph: Paragraph): boolean {
    const title = this.#takeDefinitions(paragraph, false);
    if (!title) return false;
    paragraph.draft.tag = 'h3';
    paragraph.draft.text = title;
    this.#leaf = null;
    return true;
  }

  /** Reads a row of dashes. Begins a table with the last line of the paragraph above as its head. */
  #readTableRule(paragraph: Paragraph, text: string): boolean {
    const head = paragraph.lines.at(-1) ?? '';
    const align = readAlignment(head, text);
    if (align) this.#openTable(paragraph, 1, align, this.#line - 1);
    return align !== null;
  }

  #openTable(paragraph: Paragraph, lineCount: number, align: Alignment, line: number): void {
    const [head = ''] = paragraph.lines.splice(-lineCount);
    this.#closeLeaf();
    // The head of a stream's table is shown when it is complete.
    if (this.#isOpen && lineCount === 1 && line >= this.#lines.length - 1) return;
    const draft = this.#add(createDraft('table', line));
    const headRow = createRow('th', line, head, align);
    draft.children.push({ ...createDraft('thead', line), children: [headRow] }, createDraft('tbody', line));
    this.#leaf = { kind: 'table', draft, align };
  }

  #openCode(): void {
    this.#closeTo(this.#depth);
    const draft = this.#add(createDraft('pre', this.#line));
    const line = this.#cursor.without(CODE_INDENT);
    this.#leaf = { kind: 'indented', draft, mark: '', indent: CODE_INDENT, lines: [line] };
  }

  /** Adds a line of text to the table or paragraph, or to a new paragraph. */
  #readText(text: string): void {
    if (this.#leaf?.kind === 'table') {
      const { draft, align } = this.#leaf;
      // A row of a stream is shown when it is complete, because cells that grow change the widths of all columns.
      if (this.#isOpen && this.#isLastLine()) return;
      draft.children[1]?.children.push(createRow('td', this.#line, text, align));
      return;
    }
    let from = 0;
    for (const { name, isEnd, at, end } of matchTags(this.#cursor.rest)) {
      this.#addText(this.#cursor.rest.slice(from, at));
      this.#closeLeaf();
      this.#readTag(name, isEnd);
      from = end;
    }
    this.#addText(this.#cursor.rest.slice(from));
  }

  #addText(text: string): void {
    if (!text.trim()) return;
    if (this.#leaf?.kind !== 'paragraph') {
      this.#leaf = { kind: 'paragraph', draft: this.#add(createDraft('p', this.#line)), lines: [] };
    }
    this.#leaf.lines.push(text.trimStart());
  }

  /** Reads block tags, which may be missing or misplaced. Tags of paragraphs only end the paragraph before. */
  #readTag(name: string, isEnd: boolean): void {
    const depth = this.#containers.findLastIndex(({ kind }) => kind === 'html');
    const container = this.#containers[depth];
    if (name === 'p') return;
    if (name === 'li') {
      if (container) this.#containers.length = depth + 1;
      else if (!isEnd) this.#openHtmlList('ul');
      const list = this.#containers.at(-1);
      if (!isEnd && list?.kind === 'html') this.#addHtmlItem(list);
    } else if (isEnd) {
      if (container) this.#containers.length = depth;
    } else this.#openHtmlList(name as 'ul' | 'ol');
    this.#depth = this.#containers.length;
  }

  #openHtmlList(tag: 'ul' | 'ol'): void {
    if (this.#containers.length >= MAX_DEPTH) return;
    const draft = this.#add(createDraft(tag, this.#line, { marker: '<' }));
    this.#push({ kind: 'html', draft, list: draft, markerIndent: 0, indent: 0 });
  }

  #addHtmlItem(container: Container): void {
    container.draft = createDraft('li', this.#line);
    container.list?.children.push(container.draft);
  }

  /** Closes the leaf and the containers inside of `depth`. */
  #closeTo(depth: number, isEnd = false): void {
    this.#closeLeaf(isEnd);
    this.#containers.length = Math.min(depth, this.#containers.length);
  }

  #closeLeaf(isEnd = false): void {
    const leaf = this.#leaf;
    if (leaf?.kind === 'paragraph') this.#closeParagraph(leaf, isEnd && this.#isOpen);
    else if (leaf && leaf.kind !== 'table') {
      const isCut = isEnd && this.#isOpen && this.#lines.at(-1) !== '';
      leaf.draft.text = textOfCode(leaf, isCut);
    }
    this.#leaf = null;
  }

  #closeParagraph(paragraph: Paragraph, isOpen: boolean): void {
    const { draft, lines } = paragraph;
    const tableLines = isOpen ? countTableLines(lines) : 0;
    if (tableLines > 0) {
      const align = splitRow(lines.at(-tableLines) ?? '').map(() => 'start' as const);
      this.#openTable(paragraph, tableLines, align, this.#lines.length - tableLines);
      return;
    }
    draft.isOpen = isOpen;
    draft.text = this.#takeDefinitions(paragraph, isOpen && this.#lines.at(-1) !== '');
    const item = this.#containers.at(-1)?.draft;
    if (item?.tag !== 'li' || item.children[0] !== draft) return;
    const task = TASK.exec(draft.text);
    if (task) {
      item.isDone = task[1] !== ' ';
      draft.text = draft.text.slice(task[0].length);
    } else if (isOpen && OPEN_TASK.test(draft.text)) draft.text = '';
  }

  #takeDefinitions(paragraph: Paragraph, isOpen: boolean): string {
    const text = paragraph.lines.join('\n').trimEnd();
    const rest = readDefinitions(text, isOpen, (label, address) => {
      const line = this.#root.children.at(-1)?.line ?? 0;
      if (!this.#definitions.has(label)) this.#definitions.set(label, { address, line });
    });
    if (rest !== text) paragraph.lines = rest ? rest.split('\n') : [];
    return rest;
  }
}
