import { parseBlocks } from './parse-blocks.ts';
import type { RichElement } from './rich-node.ts';

/** Gives the blocks of `text`. `isStreaming` says that more of it will come. */
export type MarkdownStream = (text: string, isStreaming: boolean) => readonly RichElement[];

// A block that is longer than this is read again only when it has grown by a sixty-fourth: so even one endless
// paragraph costs no more than a fixed multiple of its length.
const PATIENT_FROM_CHARACTERS = 8_192;
const PATIENCE = 1 / 64;

/** Parses a text that grows at its end; blocks that cannot change any more keep their identity. Source: AM-3. */
export function createMarkdownStream(): MarkdownStream {
  let settled: readonly RichElement[] = [];
  let settledLength = 0;
  let shown: readonly RichElement[] = [];
  let last = '';

  return (text, isStreaming) => {
    // A comparison of slices is a block compare; startsWith goes character by character and costs fifty times more.
    if (text.slice(0, last.length) !== last) {
      settled = [];
      settledLength = 0;
      last = '';
    }
    const openLength = text.length - settledLength;
    const canWait = isStreaming && openLength > PATIENT_FROM_CHARACTERS;
    if (canWait && text.length - last.length < openLength * PATIENCE) return shown;
    last = text;
    const lines = text.slice(settledLength).split('\n');
    const { blocks, starts } = parseBlocks(lines, isStreaming);
    shown = [...settled, ...blocks];
    const openLine = starts.findLast((line) => isRestartPoint(lines, line));
    if (isStreaming && openLine) {
      settled = shown.slice(0, settled.length + starts.indexOf(openLine));
      settledLength += lines.slice(0, openLine).join('\n').length + 1;
    }
    return shown;
  };
}

/**
 * A block's first line is a place to start from again when nothing that still comes can join it to the block
 * before: a blank line stands between them, and the line itself is complete.
 */
function isRestartPoint(lines: readonly string[], startLine: number): boolean {
  return startLine < lines.length - 1 && lines[startLine - 1]?.trim() === '';
}
