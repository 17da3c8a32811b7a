import { toSafeHref } from '../links/safe-href.ts';
import { type BlockDraft, finishDraft } from './block-draft.ts';
import { BlockReader } from './block-reader.ts';
import type { RichElement } from './rich-node.ts';

/** Definitions from the text before the parsed lines, and the function that makes links. */
export interface ParseContext {
  /** Addresses of the link definitions in the text before. */
  readonly known?: ReadonlyMap<string, string>;
  readonly toHref?: (address: string) => string | null;
}

/** The blocks of a text, and the first line of each. */
export interface ParsedBlocks {
  readonly blocks: readonly RichElement[];
  readonly starts: readonly number[];
  /** Link definitions by label, each with the line of its block. */
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Labels that may be references but have no definition yet, with the line of the first block that has them. */
  readonly missing: ReadonlyMap<string, number>;
}

export interface Definition {
  readonly address: string;
  readonly line: number;
}

/**
 * Parses lines into blocks; text outside of the known constructs is a paragraph. `isOpen` is true if a stream continues after
 * the last line.
 */
export function parseBlocks(
  lines: readonly string[],
  isOpen: boolean,
  { known, toHref = toSafeHref }: ParseContext = {},
): ParsedBlocks {
  const { drafts, definitions } = new BlockReader(lines, isOpen).read();
  const missing = new Map<string, number>();
  const find = (label: string, line: number): string | undefined => {
    const address = known?.get(label) ?? definitions.get(label)?.address;
    if (address === undefined && !missing.has(label)) missing.set(label, line);
    return address;
  };
  const finished = drafts.flatMap((draft: BlockDraft) => {
    const block = finishDraft(draft, find, toHref);
    return block ? [{ block, line: draft.line }] : [];
  });
  return {
    blocks: finished.map(({ block }) => block),
    starts: finished.map(({ line }) => line),
    definitions,
    missing,
  };
}
