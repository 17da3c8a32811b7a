import { parseInline } from './parse-inline.ts';
import { readAlignment, splitRow } from './read-table.ts';
import type { BlockTag, RichElement, RichNode } from './rich-node.ts';

// The two looks ahead keep a run from being read again from each of its characters.
const FENCE = /^\s*(`{3,}|~{3,}(?!~))[^`]*$/;
const HEADING = /^\s*(#{1,6})\s+(?=\S)(.*?)(?:\s#+)?$/;
const MARKER = /^\s*((?:[-*+•]|(\d{1,9})[.)])(?:\s+|$))(.*)/;
/** The block elements that an agent may send (AM-3), and code spans, inside which they are none. */
const TAGS = /`[^`]*`|<(\/?)(p|ul|ol|li)(?:\s[^<>]*)?\/?>/gi;
const STARTS_WITH_TAG = /^\s*<\/?(?:p|[uo]l|li)\b/i;

/** Lists inside lists beyond this stay text. */
const MAX_DEPTH = 6;
/** Two columns make a line part of the item above, even below "10. ": that is how models and people indent. */
const MIN_NESTING = 2;
/** The indent of a list of HTML: a line is inside it until a tag ends it, or a blank line that no tag follows. */
const HTML = -1;

type TagName = 'p' | 'li' | OpenList['tag'];

interface OpenList {
  readonly tag: 'ul' | 'ol';
  readonly indent: number;
  readonly items: { readonly tag: 'li'; readonly children: RichNode[] }[];
}

/** The blocks of a text, and for each the line from which it can be read again. */
export interface ParsedBlocks {
  readonly blocks: readonly RichElement[];
  readonly starts: readonly number[];
}

/**
 * Parses lines into blocks, one line at a time; whatever is not one of the known constructs is a paragraph.
 * With `isOpen` the last line is the end of a stream that goes on.
 */
export function parseBlocks(lines: readonly string[], isOpen: boolean): ParsedBlocks {
  const blocks: RichElement[] = [];
  const starts: number[] = [];
  /** From the outermost to the innermost; what comes belongs to the last item of the innermost. */
  const lists: OpenList[] = [];
  let paragraph = '';
  let isAfterBlank = false;
  let index = 0;
  /** Where reading has to begin to come to the block that is being read now. */
  let start = 0;

  const isLastLine = () => index === lines.length - 1;

  function add(element: RichElement): void {
    const list = lists.at(-1);
    if (list) {
      if (list.items.length === 0) addItem();
      list.items.at(-1)?.children.push(element);
    } else {
      blocks.push(element);
      starts.push(start);
    }
  }

  function addItem(): void {
    lists.at(-1)?.items.push({ tag: 'li', children: [] });
  }

  function openList(tag: OpenList['tag'], indent: number, first?: number): void {
    const items: OpenList['items'] = [];
    add({ tag, children: items, start: first });
    lists.push({ tag, indent, items });
  }

  function addText(tag: BlockTag, text: string, isLast: boolean): void {
    const children = parseInline(text, isOpen && isLast);
    if (children.length > 0) add({ tag, children });
  }

  function endParagraph(isLast = false): void {
    if (paragraph) addText('p', paragraph, isLast);
    paragraph = '';
    start = index;
  }

  function readText(text: string): void {
    paragraph += paragraph && text ? `\n${text}` : text;
  }

  function readLine(line: string): void {
    const indent = columnsOf(line);
    const marker = MARKER.exec(line);
    const [, lead = '', digits, content = ''] = marker ?? [];
    const tag = digits ? 'ol' : 'ul';
    const fence = FENCE.exec(line)?.[1];
    const heading = HEADING.exec(line);
    const startsWithTag = STARTS_WITH_TAG.test(line);

    // The outermost list that this line is not nested in: it may be its next item, or the end of it.
    const depth = lists.findIndex((list) =>
      list.indent === HTML ? isAfterBlank && !startsWithTag : indent < list.indent + MIN_NESTING,
    );
    const left = lists[depth];
    const isNextItem = marker !== null && left?.tag === tag && left.indent !== HTML;
    const startsBlock = marker || fence || heading || startsWithTag || /^\s*\|/.test(line);
    if (left && (!paragraph || startsBlock)) {
      endParagraph();
      lists.length = isNextItem ? depth + 1 : depth;
    }

    // A line that begins with a year is prose, not the 1984th item of a list.
    const mayBegin = !paragraph || (content && (!digits || digits === '1'));
    if (marker && (isNextItem || (mayBegin && lists.length < MAX_DEPTH))) {
      endParagraph();
      if (!isNextItem) openList(tag, indent, digits ? Number(digits) : undefined);
      addItem();
      if (content) readLine(' '.repeat(indent + lead.length) + content);
    } else if (fence) {
      endParagraph();
      readFence(fence, indent);
    } else if (heading) {
      endParagraph();
      const [, signs = '', title = ''] = heading;
      addText(signs.length < 3 ? 'h3' : 'h4', title, isLastLine());
    } else {
      const align = readAlignment(lines, index, isOpen && !paragraph);
      if (align) readTable(align);
      else readTags(line);
    }
  }

  /** Code goes on to the end of its fence, or of the text. */
  function readFence(fence: string, indent: number): void {
    const code: string[] = [];
    for (index += 1; index < lines.length; index += 1) {
      const line = lines[index] ?? '';
      const mark = line.trim();
      if (mark.startsWith(fence) && !mark.replaceAll(fence.charAt(0), '')) break;
      code.push(line.slice(Math.min(indent, line.search(/\S|$/))).trimEnd());
    }
    // The first characters of the closing fence are not code.
    if (isOpen && index === lines.length && /^\s*[`~]{1,2}$/.test(code.at(-1) ?? '')) code.pop();
    add({ tag: 'pre', children: [code.join('\n')] });
  }

  /** Rows are cut or filled to the width of the head. */
  function readTable(align: readonly RichElement['align'][]): void {
    endParagraph();
    const columns = splitRow(lines[index] ?? '');
    const readRow = (tag: 'th' | 'td'): RichElement => {
      const cells = splitRow(lines[index] ?? '');
      return {
        tag: 'tr',
        children: columns.map((_, column) => ({
          tag,
          align: align[column] ?? 'start',
          children: parseInline(cells[column] ?? '', isOpen && isLastLine()),
        })),
      };
    };
    const head = readRow('th');
    const rows: RichElement[] = [];
    for (index += 2; lines[index]?.includes('|'); index += 1) rows.push(readRow('td'));
    index -= 1;
    add({
      tag: 'table',
      children: [
        { tag: 'thead', children: [head] },
        { tag: 'tbody', children: rows },
      ],
    });
  }

  /** A line of text, in which the tags of block elements may stand. */
  function readTags(line: string): void {
    let from = 0;
    for (const { 0: tag, 1: slash, 2: name, index: at } of line.matchAll(TAGS)) {
      if (!name) continue;
      readText(line.slice(from, at).trim());
      endParagraph();
      // The pattern lets no other through.
      readTag(name.toLowerCase() as TagName, slash === '/');
      from = at + tag.length;
    }
    readText(line.slice(from).trim());
  }

  /** Tags may be missing or misplaced. A paragraph's have done their work by ending the one before. */
  function readTag(name: TagName, isEnd: boolean): void {
    const depth = lists.findLastIndex(({ indent }) => indent === HTML);
    if (name === 'li') {
      if (depth >= 0) lists.length = depth + 1;
      else if (!isEnd) openList('ul', HTML);
      if (!isEnd) addItem();
    } else if (name !== 'p') {
      if (!isEnd && lists.length < MAX_DEPTH) openList(name, HTML);
      else if (isEnd && depth >= 0) lists.length = depth;
    }
  }

  for (; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').trimEnd();
    if (!paragraph) start = index;
    if (line) readLine(line);
    else endParagraph();
    isAfterBlank = !line;
  }
  endParagraph(true);
  return { blocks, starts };
}

function columnsOf(line: string): number {
  return line.replaceAll('\t', '    ').search(/\S|$/);
}
