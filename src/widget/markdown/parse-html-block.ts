import type { Block } from './block.ts';
import { type BlockScope, type BlockStep, isBlank, MAX_DEPTH } from './block-scope.ts';

const BLOCK_TAG = /<(\/?)(p|ul|ol|li)(?:\s[^<>]*)?\/?>/i;
const BLOCK_TAGS = new RegExp(BLOCK_TAG, 'gi');

/** The first `p`, `ul`, `ol` or `li` tag of a line that is not inside a code span. Source: AM-3. */
export function findBlockTag(line: string): RegExpExecArray | null {
  if (!line.includes('<')) return null;
  const found = BLOCK_TAG.exec(line);
  if (!found) return null;
  const ticksBefore = line.slice(0, found.index).split('`').length - 1;
  return ticksBefore % 2 === 0 ? found : null;
}

interface OpenList {
  readonly isOrdered: boolean;
  readonly items: Block[][];
  isInItem: boolean;
}

/**
 * Parses the HTML list and paragraph elements that an agent may send. Tags may be missing or misplaced; what is
 * left open ends at the first blank line that no further tag follows.
 */
export function parseHtmlBlock(lines: readonly string[], index: number, scope: BlockScope): BlockStep {
  const next = findEnd(lines, index, scope);
  const source = lines.slice(index, next).join('\n');
  const builder = new HtmlBlocks(scope);
  let from = 0;
  for (const tag of source.matchAll(BLOCK_TAGS)) {
    scope.tally.steps += 1;
    builder.text(source.slice(from, tag.index), false);
    builder.tag((tag[2] ?? '').toLowerCase(), tag[1] === '/');
    from = tag.index + tag[0].length;
  }
  builder.text(source.slice(from), scope.isOpen && next === lines.length);
  return { blocks: builder.finish(), next };
}

/** The region ends with the line that closes the last list, or at a blank line; a tag right after goes on with it. */
function findEnd(lines: readonly string[], index: number, scope: BlockScope): number {
  let openLists = 0;
  let next = index;
  while (next < lines.length) {
    scope.tally.steps += 1;
    for (const [, slash, name = ''] of (lines[next] ?? '').matchAll(BLOCK_TAGS)) {
      if (/^[uo]l$/i.test(name)) openLists += slash ? -1 : 1;
    }
    next += 1;
    let resume = next;
    while (resume < lines.length && isBlank(lines[resume])) resume += 1;
    const isTagNext = resume < lines.length && findBlockTag((lines[resume] ?? '').trimStart())?.index === 0;
    if (isTagNext) next = resume;
    else if (resume > next || openLists <= 0) break;
  }
  return next;
}

class HtmlBlocks {
  readonly #scope: BlockScope;
  readonly #root: Block[] = [];
  readonly #lists: OpenList[] = [];

  constructor(scope: BlockScope) {
    this.#scope = scope;
  }

  text(source: string, isOpen: boolean): void {
    if (source.trim() === '') return;
    // The tags of this region are spoken for, so what is between them may not open lists of its own.
    const scope = { ...this.#scope, isOpen, depth: MAX_DEPTH };
    const blocks = scope.parseInside(source.split('\n'), scope);
    const target = this.#target();
    for (const block of blocks) target.push(block);
  }

  tag(name: string, isEnd: boolean): void {
    const list = this.#lists.at(-1);
    if (name === 'li') {
      if (isEnd && list) list.isInItem = false;
      else if (!isEnd) this.#openItem();
    } else if (name === 'ul' || name === 'ol') {
      if (isEnd) this.#closeList();
      else if (this.#lists.length + this.#scope.depth < MAX_DEPTH) {
        this.#lists.push({ isOrdered: name === 'ol', items: [], isInItem: false });
      }
    }
  }

  finish(): Block[] {
    while (this.#lists.length > 0) this.#closeList();
    return this.#root;
  }

  #openItem(): void {
    if (this.#lists.length === 0) this.#lists.push({ isOrdered: false, items: [], isInItem: false });
    const list = this.#lists.at(-1);
    list?.items.push([]);
    if (list) list.isInItem = true;
  }

  #closeList(): void {
    const list = this.#lists.pop();
    if (!list || list.items.length === 0) return;
    this.#target().push({ kind: 'list', isOrdered: list.isOrdered, start: 1, items: list.items });
  }

  #target(): Block[] {
    const list = this.#lists.at(-1);
    if (!list) return this.#root;
    if (!list.isInItem) this.#openItem();
    return list.items.at(-1) ?? this.#root;
  }
}
