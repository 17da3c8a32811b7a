/** Runs a sticky pattern at `index`, or a global one from `index` on. */
export function matchAt(pattern: RegExp, source: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(source);
}

/** How many times `character` stands in a row from `index` on. */
export function runLength(source: string, index: number, character: string): number {
  let end = index;
  while (source.charAt(end) === character) end += 1;
  return end - index;
}

export function isSpace(character: string): boolean {
  return /\s/.test(character);
}

/** The text of a code span: line ends become spaces, and one padding space on each side goes. */
export function trimCode(text: string): string {
  const flat = text.replaceAll('\n', ' ');
  const isPadded = flat.length > 2 && flat.startsWith(' ') && flat.endsWith(' ') && flat.trim() !== '';
  return isPadded ? flat.slice(1, -1) : flat;
}

/** Sentence punctuation after a bare address belongs to the sentence, and so does a bracket it did not open. */
export function trimAddress(address: string): string {
  let end = address.length;
  let surplus = address.split(')').length - address.split('(').length;
  while (end > 0) {
    const last = address.charAt(end - 1);
    if (last === ')' && surplus > 0) surplus -= 1;
    else if (!/[.,;:!?'"*_~]/.test(last)) break;
    end -= 1;
  }
  return address.slice(0, end);
}

/** What follows a link's label: the target, or how far the reader got before it gave up. */
export type LinkTarget =
  | { readonly status: 'complete'; readonly href: string; readonly end: number }
  | { readonly status: 'unfinished' }
  | { readonly status: 'none'; readonly reached: number };

/** Reads `(address "title")` whose bracket stands at `from`. Never looks at a character twice. */
export function readLinkTarget(source: string, from: number): LinkTarget {
  let index = skipBlanks(source, from + 1);
  const start = index;
  let depth = 0;
  for (; index < source.length; index += 1) {
    const character = source.charAt(index);
    if (isSpace(character)) break;
    if (character === '(') depth += 1;
    else if (character === ')') {
      if (depth === 0) break;
      depth -= 1;
    }
  }
  const href = source.slice(start, index).replace(/^<(.*)>$/, '$1');
  index = skipBlanks(source, index);
  const quote = source.charAt(index);
  if (quote === '"' || quote === "'") {
    const close = source.indexOf(quote, index + 1);
    if (close < 0) return { status: 'unfinished' };
    index = skipBlanks(source, close + 1);
  }
  if (source.charAt(index) === ')') return { status: 'complete', href, end: index + 1 };
  return index >= source.length ? { status: 'unfinished' } : { status: 'none', reached: index };
}

function skipBlanks(source: string, from: number): number {
  let index = from;
  while (source.charAt(index) === ' ' || source.charAt(index) === '\t') index += 1;
  return index;
}
