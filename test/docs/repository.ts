import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Folders of builds, installs and runs: a clone does not contain them. */
const UNTRACKED = /^(?:\.git|\.tsbuild|\.natter|dist|node_modules|test-results|cache|\.temp|\.next)$/;

function list(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (UNTRACKED.test(entry.name) || path === 'server-platform/docs' || path === 'server-platform/console')
      return [];
    return entry.isDirectory() ? list(path) : path;
  });
}

/** Every file of the repository by its path from the root, with `/` on every system. */
export const FILES: readonly string[] = list('');

/** The documents for readers, without the articles of the demo's company and the changelog. */
export const DOCUMENTS: readonly string[] = FILES.filter(
  (path) =>
    path.endsWith('.md') && !/^\.changeset\/|^CHANGELOG\.md$|\/knowledge\/|^\.github\/ISSUE_/.test(path),
);

/** A piece of code in a document. */
export interface Code {
  readonly document: string;
  readonly line: number;
  readonly text: string;
  /** True for code between backticks in a line, false for a separate block. */
  readonly isInline: boolean;
}

/**
 * Returns every piece of code in a document: text between backticks, and lines of blocks. Lines that end with `\` are
 * joined with the next.
 */
export function readCode(document: string): readonly Code[] {
  const found: Code[] = [];
  let isBlock = false;
  for (const [index, line] of read(document).replaceAll('\\\n', '  ').split('\n').entries()) {
    const at = { document, line: index + 1 };
    if (/^\s*(?:>\s*)?```/.test(line)) isBlock = !isBlock;
    else if (isBlock || line.startsWith('    ')) found.push({ ...at, text: line, isInline: false });
    else
      for (const [, text = ''] of line.matchAll(/`([^`]+)`/g))
        found.push({ ...at, text: text.replaceAll('\\|', '|'), isInline: true });
  }
  return found;
}

/** Returns the place and fault of a piece of code, as a line of a failure. */
export const at = ({ document, line }: Code, fault: string): string => `${document}:${line} ${fault}`;
