import type { Block, ParseTally } from './block.ts';

/** What a block parser needs to know besides its lines. */
export interface BlockScope {
  /** The last line is the end of a stream that goes on. */
  readonly isOpen: boolean;
  /** How many lists this is inside of. */
  readonly depth: number;
  readonly tally: ParseTally;
  /** Parses the inside of a list item; handed down so that the parsers need not import each other. */
  readonly parseInside: (lines: readonly string[], scope: BlockScope) => Block[];
}

/** What one construct came to, and the line to go on from. */
export interface BlockStep {
  readonly blocks: readonly Block[];
  readonly next: number;
}

/** Lists inside lists beyond this stay text. */
export const MAX_DEPTH = 6;

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** Removes up to `width` columns of leading white space. */
export function stripIndent(line: string, width: number): string {
  let end = 0;
  while (end < width && (line.charAt(end) === ' ' || line.charAt(end) === '\t')) end += 1;
  return line.slice(end);
}
