import { type BlockScope, type BlockStep, isBlank, stripIndent } from './block-scope.ts';

export interface ListMarker {
  readonly indent: number;
  readonly isOrdered: boolean;
  readonly number: number;
  /** Columns up to the content. */
  readonly width: number;
  readonly content: string;
}

const MARKER = /^(\s*)(?:[-*+•]|(\d{1,9})[.)])(?:(\s+)(.*))?$/;

/** Reads `- text` or `1. text`; null for any other line. */
export function readListMarker(line: string): ListMarker | null {
  const found = MARKER.exec(line);
  if (!found) return null;
  const [whole, lead = '', digits, gap = '', content = ''] = found;
  return {
    indent: columns(lead),
    isOrdered: digits !== undefined,
    number: Number(digits ?? 0),
    width: content ? whole.length - content.length : whole.length - gap.length + 1,
    content,
  };
}

// Two columns make a line part of the item above, even below "10. ": that is how models and people indent.
const MIN_NESTING = 2;

/**
 * Parses a list and what is nested in it. A list goes on across blank lines as long as another item of the same
 * kind, or an indented line, follows.
 */
export function parseList(lines: readonly string[], index: number, scope: BlockScope): BlockStep {
  const first = readListMarker(lines[index] ?? '');
  if (!first) return { blocks: [], next: index + 1 };
  const itemLines: string[][] = [];
  let width = first.width;
  let next = index;
  while (next < lines.length) {
    scope.tally.steps += 1;
    const line = lines[next] ?? '';
    const current = itemLines.at(-1);
    if (isBlank(line)) {
      const resume = skipBlank(lines, next);
      scope.tally.steps += resume - next;
      if (resume === lines.length || !belongsToList(lines[resume] ?? '', first)) {
        next = resume;
        break;
      }
      current?.push('');
      next = resume;
      continue;
    }
    const marker = readListMarker(line);
    if (marker && marker.indent < first.indent + MIN_NESTING) {
      if (marker.isOrdered !== first.isOrdered && next > index) break;
      width = marker.width;
      itemLines.push([marker.content]);
    } else if (isNested(line, first) || (isBlank(lines[next - 1]) === false && !startsOtherBlock(line))) {
      current?.push(stripIndent(line, width));
    } else break;
    next += 1;
  }
  const items = itemLines.map((content, position) => {
    const isOpen = scope.isOpen && next === lines.length && position === itemLines.length - 1;
    return scope.parseInside(content, { ...scope, isOpen, depth: scope.depth + 1 });
  });
  return { blocks: [{ kind: 'list', isOrdered: first.isOrdered, start: first.number, items }], next };
}

function belongsToList(line: string, first: ListMarker): boolean {
  const marker = readListMarker(line);
  if (marker && marker.indent < first.indent + MIN_NESTING) return marker.isOrdered === first.isOrdered;
  return isNested(line, first);
}

function isNested(line: string, first: ListMarker): boolean {
  return columns(/^\s*/.exec(line)?.[0] ?? '') >= first.indent + MIN_NESTING;
}

function startsOtherBlock(line: string): boolean {
  return /^(?:#{1,6}\s|`{3}|~{3}|\||<\/?(?:p|ul|ol|li)\b)/i.test(line);
}

function skipBlank(lines: readonly string[], from: number): number {
  let index = from;
  while (index < lines.length && isBlank(lines[index])) index += 1;
  return index;
}

function columns(lead: string): number {
  let count = 0;
  for (const character of lead) count += character === '\t' ? 4 : 1;
  return count;
}
