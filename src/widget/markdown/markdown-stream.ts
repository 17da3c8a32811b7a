import type { Block, ParseTally } from './block.ts';
import { parseBlocks } from './parse-blocks.ts';

/** Parses a text that grows at its end; blocks that cannot change any more keep their identity. Source: AM-3. */
export interface MarkdownStream {
  /** The blocks of `text`. `isStreaming` says that more of it will come. */
  update(text: string, isStreaming: boolean): readonly Block[];
  /** The work done so far. */
  readonly tally: Readonly<ParseTally>;
}

// A block that is longer than this is read again only when it has grown by a sixteenth, and what came since is
// shown as it stands: so even one endless paragraph costs no more than a fixed multiple of its length.
const PATIENT_FROM_CHARACTERS = 4_096;
const PATIENCE = 1 / 16;

export function createMarkdownStream(): MarkdownStream {
  const tally: ParseTally = { steps: 0 };
  let settled: Block[] = [];
  let settledLength = 0;
  let tail: readonly Block[] = [];
  let parsedLength = 0;
  let last = { text: '', isStreaming: true, blocks: [] as readonly Block[] };

  function parseTail(text: string, isStreaming: boolean): readonly Block[] {
    const lines = text.slice(settledLength).split('\n');
    const lengths = lines.map((line) => line.length + 1);
    const placed = parseBlocks(
      lines.map((line) => line.trimEnd()),
      isStreaming,
      tally,
    );
    tally.steps += lines.length;
    const openFrom = placed.findLastIndex(({ startLine }) => isRestartPoint(lines, startLine));
    const openLine = placed[openFrom]?.startLine ?? 0;
    if (isStreaming && openLine > 0) {
      const isSettled = ({ startLine }: { startLine: number }) => startLine < openLine;
      settled = [...settled, ...placed.filter(isSettled).map(({ block }) => block)];
      for (let line = 0; line < openLine; line += 1) settledLength += lengths[line] ?? 0;
      tail = placed.filter((entry) => !isSettled(entry)).map(({ block }) => block);
    } else {
      tail = placed.map(({ block }) => block);
    }
    parsedLength = text.length;
    return [...settled, ...tail];
  }

  return {
    tally,
    update(text, isStreaming) {
      if (text === last.text && isStreaming === last.isStreaming) return last.blocks;
      // A comparison of slices is a block compare; startsWith goes character by character and costs fifty times more.
      if (text.slice(0, last.text.length) !== last.text) {
        settled = [];
        settledLength = 0;
        parsedLength = 0;
      }
      const openLength = text.length - settledLength;
      const canWait = isStreaming && parsedLength > 0 && openLength > PATIENT_FROM_CHARACTERS;
      const blocks =
        canWait && text.length - parsedLength < openLength * PATIENCE
          ? [...settled, ...withRawText(tail, text.slice(parsedLength))]
          : parseTail(text, isStreaming);
      last = { text, isStreaming, blocks };
      return blocks;
    },
  };
}

/**
 * A block's first line is a place to start from again when nothing that still comes can join it to the block
 * before: a blank line stands between them, and the line itself is complete.
 */
function isRestartPoint(lines: readonly string[], startLine: number): boolean {
  return startLine > 0 && startLine < lines.length - 1 && lines[startLine - 1]?.trim() === '';
}

function withRawText(blocks: readonly Block[], text: string): readonly Block[] {
  const open = blocks.at(-1);
  if (open?.kind === 'code') return [...blocks.slice(0, -1), { ...open, text: open.text + text }];
  return [...blocks, { kind: 'paragraph', children: [{ kind: 'text', text }] }];
}
