import { isEqual } from '../../client/index.ts';
import { toSafeHref } from '../links/safe-href.ts';
import { parseBlocks } from './parse-blocks.ts';
import type { RichElement } from './rich-node.ts';

/** Returns the blocks of `text`. `isStreaming` is true while more of the text follows. */
export type MarkdownStream = (text: string, isStreaming: boolean) => readonly RichElement[];

// A longer block is parsed again only when it has grown by a sixty-fourth, so that one endless paragraph costs at most a
// fixed multiple of its length.
const PATIENT_FROM_CHARACTERS = 8_192;
const PATIENCE = 1 / 64;

/** Blocks that cannot change any more, except by a link definition that they refer to. */
interface Settled {
  readonly blocks: readonly RichElement[];
  /** Length of their source, in characters. */
  readonly length: number;
  readonly definitions: Map<string, string>;
  /** Labels in them that have no definition yet. */
  readonly missing: Set<string>;
}

const nothing = (): Settled => ({ blocks: [], length: 0, definitions: new Map(), missing: new Set() });

/** Parses a text that grows at its end; blocks that cannot change any more keep their identity. Source: AM-3. */
export function createMarkdownStream(
  toHref: (address: string) => string | null = toSafeHref,
): MarkdownStream {
  let settled = nothing();
  let shown: readonly RichElement[] = [];
  let last = '';
  let restartedAtLength = 0;

  /** Parses the unsettled text. Returns true if it defines a label that the settled text uses. */
  function read(text: string, isStreaming: boolean): boolean {
    const lines = text.slice(settled.length).split('\n');
    const { definitions: known } = settled;
    const { blocks, starts, definitions, missing } = parseBlocks(lines, isStreaming, { known, toHref });
    const isResolved = [...definitions.keys()].some((label) => settled.missing.has(label));
    shown = [...settled.blocks, ...blocks];
    const openLine = starts.findLast((line) => isRestartPoint(lines, line));
    if (isStreaming && openLine) {
      for (const [label, { line, address }] of definitions)
        if (line < openLine && !known.has(label)) known.set(label, address);
      for (const [label, line] of missing) if (line < openLine) settled.missing.add(label);
      settled = {
        ...settled,
        blocks: shown.slice(0, settled.blocks.length + starts.indexOf(openLine)),
        length: settled.length + lines.slice(0, openLine).join('\n').length + 1,
      };
    }
    return isResolved;
  }

  /** Parses everything again. Blocks that are as they were keep their identity. */
  function restart(text: string, isStreaming: boolean): void {
    const before = shown;
    settled = nothing();
    restartedAtLength = text.length;
    read(text, isStreaming);
    const keep = (block: RichElement, index: number): RichElement => {
      const old = before[index];
      return old && isEqual(old, block) ? old : block;
    };
    shown = shown.map(keep);
    settled = { ...settled, blocks: shown.slice(0, settled.blocks.length) };
  }

  return (text, isStreaming) => {
    // A comparison of slices is a block compare; startsWith goes character by character and costs fifty times more.
    if (text.slice(0, last.length) !== last) {
      settled = nothing();
      last = '';
    }
    const openLength = text.length - settled.length;
    const canWait = isStreaming && openLength > PATIENT_FROM_CHARACTERS;
    if (canWait && text.length - last.length < openLength * PATIENCE) return shown;
    last = text;
    const isResolved = read(text, isStreaming);
    const isDue =
      text.length < PATIENT_FROM_CHARACTERS || text.length - restartedAtLength > text.length * PATIENCE;
    if (isResolved && (isDue || !isStreaming)) restart(text, isStreaming);
    return shown;
  };
}

/**
 * Returns true if parsing can restart at a block's first line: the line is complete, and a blank line before it keeps later
 * text from joining the two blocks.
 */
function isRestartPoint(lines: readonly string[], startLine: number): boolean {
  return startLine < lines.length - 1 && lines[startLine - 1]?.trim() === '';
}
