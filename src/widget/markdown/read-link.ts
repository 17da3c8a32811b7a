import { unescapeText } from './decode-entities.ts';

// Every part is bounded, or begins where the search for the part before it ends: a text full of unfinished links takes
// linear time.
const SPACES = '[ \\t]*(?:\\n[ \\t]*)?';
const RAW = '[^ \\t\\n()\\\\]|\\\\[()\\\\]|\\\\(?![()\\\\])';
/** An address with three levels of brackets, the minimum of the specification. */
const BARE = `(?!<)(?:${RAW}|\\((?:${RAW}|\\((?:${RAW}|\\((?:${RAW})*\\))*\\))*\\))*`;
const ANGLED = '<(?:[^<>\\n\\\\]|\\\\.)*>';
const TITLE = `(?:"(?:[^"\\\\]|\\\\[\\s\\S])*"|'(?:[^'\\\\]|\\\\[\\s\\S])*'|\\((?:[^()\\\\]|\\\\[\\s\\S])*\\))`;
const BREAK = '(?:[ \\t]+(?:\\n[ \\t]*)?|\\n[ \\t]*)';

const TARGET = new RegExp(
  `\\(${SPACES}(?![ \\t\\n])(${ANGLED}|${BARE})(?:${BREAK}${TITLE})?${SPACES}\\)`,
  'uy',
);
/** The start of a target at the end of a stream. */
const OPEN_TARGET = /\([^\s()]*(?:\([^\s()]*\)?)?\s*(?:"[^"]*(?:"\s*)?|'[^']*(?:'\s*)?)?$/y;
const DEFINITION = new RegExp(
  `\\[((?:[^\\\\[\\]]|\\\\[\\s\\S]){1,999})\\]:${SPACES}(${ANGLED}|(?!<)[^\\s]+)(?:${BREAK}${TITLE})?[ \\t]*(?:\\n|$)`,
  'uy',
);
/** The first line of a definition, and a second that may be its address or title. */
const OPEN_DEFINITION = /^\[(?:[^\\[\]]|\\.){1,999}\]:[^\n]*(?:\n[^\n]*)?$/;
const REFERENCE = /\[(?![ \t\n]+\])((?:[^\\[\]]|\\[\s\S]){0,999})\]/y;

function matchAt(pattern: RegExp, source: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(source);
}

const addressOf = (raw: string): string => unescapeText(raw.startsWith('<') ? raw.slice(1, -1) : raw);

/** The target after a bracketed label; `end` is the index after it. */
export interface LinkTail {
  readonly end: number;
  /** `null` while the stream has sent only part of it. */
  readonly address: string | null;
}

/** Reads `(address "title")` at `index`. */
export function readTarget(source: string, index: number, isOpen: boolean): LinkTail | null {
  if (source[index] !== '(') return null;
  const found = matchAt(TARGET, source, index);
  if (found) return { end: TARGET.lastIndex, address: addressOf(found[1] ?? '') };
  return isOpen && matchAt(OPEN_TARGET, source, index) ? { end: source.length, address: null } : null;
}

/** Reads `[label]` at `index`. The label is empty in `[]`. */
export function readReference(source: string, index: number): { end: number; label: string } | null {
  const found = source[index] === '[' && matchAt(REFERENCE, source, index);
  return found ? { end: REFERENCE.lastIndex, label: found[1] ?? '' } : null;
}

/** The form in which labels are compared; empty for a label of spaces. */
export function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/**
 * Reads the link definitions at the start of a paragraph, calls `define` for each, and returns the rest of the paragraph.
 * With `isOpen` a definition that may still grow is neither defined nor shown.
 */
export function readDefinitions(
  source: string,
  isOpen: boolean,
  define: (label: string, address: string) => void,
): string {
  let index = 0;
  while (source[index] === '[') {
    if (isOpen && OPEN_DEFINITION.test(source.slice(index, index + 4_096))) return '';
    const found = matchAt(DEFINITION, source, index);
    const label = found && normalizeLabel(found[1] ?? '');
    if (!label) break;
    define(label, addressOf(found[2] ?? ''));
    index = DEFINITION.lastIndex;
  }
  return source.slice(index);
}
