import type { Block, ParseTally } from './block.ts';
import { type BlockScope, type BlockStep, isBlank, MAX_DEPTH, stripIndent } from './block-scope.ts';
import { findBlockTag, parseHtmlBlock } from './parse-html-block.ts';
import { parseInline } from './parse-inline.ts';
import { parseList, readListMarker } from './parse-list.ts';
import { isTableStart, parseTable } from './parse-table.ts';

/** Where a block stands among the lines it was read from. */
export interface PlacedBlock {
  readonly block: Block;
  readonly startLine: number;
}

const FENCE = /^\s*(`{3,}|~{3,})\s*([^`]*)$/;

/** Parses lines into blocks; whatever is not one of the known constructs is a paragraph of text. */
export function parseBlocks(lines: readonly string[], isOpen: boolean, tally: ParseTally): PlacedBlock[] {
  return placeBlocks(lines, { isOpen, depth: 0, tally, parseInside });
}

function parseInside(lines: readonly string[], scope: BlockScope): Block[] {
  return placeBlocks(lines, scope).map(({ block }) => block);
}

function placeBlocks(lines: readonly string[], scope: BlockScope): PlacedBlock[] {
  const placed: PlacedBlock[] = [];
  let index = 0;
  while (index < lines.length) {
    scope.tally.steps += 1;
    const startLine = index;
    const step = isBlank(lines[index]) ? { blocks: [], next: index + 1 } : parseBlock(lines, index, scope);
    for (const block of step.blocks) placed.push({ block, startLine });
    index = step.next;
  }
  return placed;
}

function parseBlock(lines: readonly string[], index: number, scope: BlockScope): BlockStep {
  const line = lines[index] ?? '';
  const fence = FENCE.exec(line);
  if (fence) return parseFence(lines, index, fence, scope);
  const level = headingLevel(line);
  if (level > 0) return parseHeading(lines, index, level, scope);
  if (scope.depth < MAX_DEPTH) {
    if (readListMarker(line)) return parseList(lines, index, scope);
    if (findBlockTag(line)) return parseHtmlBlock(lines, index, scope);
  }
  if (isTableStart(lines, index, scope.isOpen)) return parseTable(lines, index, scope);
  return parseParagraph(lines, index, scope);
}

function parseFence(
  lines: readonly string[],
  index: number,
  fence: RegExpExecArray,
  scope: BlockScope,
): BlockStep {
  const [line, marker = '', language = ''] = fence;
  const indent = line.length - line.trimStart().length;
  const content: string[] = [];
  let next = index + 1;
  let isClosed = false;
  while (next < lines.length && !isClosed) {
    const current = lines[next] ?? '';
    isClosed = isFenceEnd(current, marker);
    if (!isClosed) content.push(stripIndent(current, indent));
    next += 1;
    scope.tally.steps += 1;
  }
  // The first characters of the closing fence are not code.
  const isHalfFence = !isClosed && scope.isOpen && /^\s*[`~]{1,2}$/.test(content.at(-1) ?? '');
  if (isHalfFence) content.pop();
  const text = content.join('\n');
  return { blocks: [{ kind: 'code', language: language.trim().split(/\s/, 1)[0] ?? '', text }], next };
}

function isFenceEnd(line: string, marker: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= marker.length && trimmed === marker.charAt(0).repeat(trimmed.length);
}

function headingLevel(line: string): number {
  const trimmed = line.trimStart();
  let level = 0;
  while (trimmed.charAt(level) === '#') level += 1;
  return level <= 6 && /\s/.test(trimmed.charAt(level)) ? level : 0;
}

function parseHeading(lines: readonly string[], index: number, level: number, scope: BlockScope): BlockStep {
  let text = (lines[index] ?? '').trim().slice(level).trim();
  let end = text.length;
  while (text.charAt(end - 1) === '#') end -= 1;
  if (end === 0 || /\s/.test(text.charAt(end - 1))) text = text.slice(0, end).trim();
  const isOpen = scope.isOpen && index === lines.length - 1;
  const children = parseInline(text, isOpen, scope.tally);
  return { blocks: children.length > 0 ? [{ kind: 'heading', level, children }] : [], next: index + 1 };
}

function parseParagraph(lines: readonly string[], index: number, scope: BlockScope): BlockStep {
  let next = index + 1;
  while (next < lines.length && !interruptsParagraph(lines, next, scope)) next += 1;
  const text = lines
    .slice(index, next)
    .map((line) => line.trim())
    .join('\n');
  const children = parseInline(text, scope.isOpen && next === lines.length, scope.tally);
  return { blocks: children.length > 0 ? [{ kind: 'paragraph', children }] : [], next };
}

function interruptsParagraph(lines: readonly string[], index: number, scope: BlockScope): boolean {
  const line = lines[index] ?? '';
  scope.tally.steps += 1;
  if (isBlank(line) || FENCE.test(line) || headingLevel(line) > 0) return true;
  if (isTableStart(lines, index, false)) return true;
  if (scope.depth >= MAX_DEPTH) return false;
  const marker = readListMarker(line);
  // A line that begins with a year is prose, not the 1984th item of a list.
  if (marker) return marker.content !== '' && (!marker.isOrdered || marker.number === 1);
  return findBlockTag(line) !== null;
}
