import type { InlineTag, RichNode } from './rich-node.ts';

/** A run of `*`, `_` or `~`. It stays text unless `resolveEmphasis` finds the run that closes or opens its emphasis. */
export interface Run {
  readonly character: string;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
}

/** Text, elements and runs in their order. */
export type InlineItem = RichNode | Run;

interface Delimiter extends Run {
  readonly at: number;
  /** Characters that are still text. */
  left: number;
  readonly opens: InlineTag[];
  closes: number;
}

const SPACE = /[\s\u00a0]/;
const PUNCTUATION = /[\p{P}\p{S}]/u;
/**
 * Characters that may precede or follow a run whose inner side is punctuation. They include letters without case, because
 * in languages without spaces between words `**「a」**b` would be no emphasis otherwise.
 */
const BOUNDARY = /[\s\u00a0\p{P}\p{S}\p{Lo}\p{Lm}]/u;
/** Deeper emphasis gets no element. */
const MAX_DEPTH = 16;

/** Returns whether a run may open or close emphasis, by the characters beside it; empty at the ends of the text. Source: CommonMark 6.2. */
export function createRun(run: string, before: string, after: string): Run {
  const character = run.charAt(0);
  const isSpaceBefore = !before || SPACE.test(before);
  const isSpaceAfter = !after || SPACE.test(after);
  const isLeft = !isSpaceAfter && (!PUNCTUATION.test(after) || isSpaceBefore || BOUNDARY.test(before));
  const isRight = !isSpaceBefore && (!PUNCTUATION.test(before) || isSpaceAfter || BOUNDARY.test(after));
  // One tilde between letters is a range, such as 3~5.
  const isStrict = character === '_' || run === '~';
  const isText = character === '~' && run.length > 2;
  return {
    character,
    length: run.length,
    canOpen: !isText && isLeft && (!isStrict || !isRight || PUNCTUATION.test(before)),
    canClose: !isText && isRight && (!isStrict || !isLeft || PUNCTUATION.test(after)),
  };
}

/** Pairs delimiter runs and creates their elements. With `isOpen`, runs that are open at the end count as closed. */
export function resolveEmphasis(items: readonly InlineItem[], isOpen: boolean): RichNode[] {
  const all = items.map((item, at) =>
    typeof item === 'object' && 'character' in item
      ? { ...item, at, left: item.length, opens: [], closes: 0 }
      : item,
  );
  const openers: Delimiter[] = [];
  /** For each kind of closer, the index before which there is no opener. Keeps the search linear. */
  const bottoms = new Map<string, number>();
  for (const item of all) {
    if (!isDelimiter(item)) continue;
    if (item.canClose) closeBy(item, openers, bottoms);
    if (item.canOpen && item.left > 0) openers.push(item);
  }
  if (isOpen) openers.forEach(openToEnd);
  return build(all);
}

const isDelimiter = (item: RichNode | Delimiter): item is Delimiter =>
  typeof item === 'object' && 'character' in item;

function closeBy(closer: Delimiter, openers: Delimiter[], bottoms: Map<string, number>): void {
  const { character, canOpen, length, at } = closer;
  const isTilde = character === '~';
  const key = `${character}${canOpen}${isTilde ? length : length % 3}`;
  const bottom = bottoms.get(key) ?? -1;
  while (closer.left > 0) {
    let index = openers.length - 1;
    while (index >= 0 && (openers[index]?.at ?? -1) > bottom && !fits(openers[index], closer)) index -= 1;
    const opener = openers[index];
    if (!opener || opener.at <= bottom) {
      bottoms.set(key, at - 1);
      return;
    }
    const used = isTilde ? length : Math.min(2, opener.left, closer.left);
    opener.opens.push(isTilde ? 'del' : used > 1 ? 'strong' : 'em');
    opener.left -= used;
    closer.left -= used;
    closer.closes += 1;
    openers.length = opener.left > 0 ? index + 1 : index;
  }
}

function fits(opener: Delimiter | undefined, closer: Delimiter): boolean {
  if (opener?.character !== closer.character) return false;
  if (closer.character === '~') return opener.length === closer.length;
  // The rule of three: all of `**a*b**` is strong.
  const isEither = opener.canClose || closer.canOpen;
  return !isEither || (opener.length + closer.length) % 3 !== 0 || closer.length % 3 === 0;
}

/** One tilde is more often "about" than the start of deleted words. */
function openToEnd(opener: Delimiter): void {
  if (opener.character === '~') {
    if (opener.length === 2) opener.opens.push('del');
    else return;
  } else {
    if (opener.left > 1) opener.opens.push('strong');
    if (opener.left % 2 === 1) opener.opens.push('em');
  }
  opener.left = 0;
}

/** Pairs are nested, so one stack is enough. Elements that are still open at the end are closed there. */
function build(items: readonly (RichNode | Delimiter)[]): RichNode[] {
  const root: RichNode[] = [];
  const stack: { readonly tag: InlineTag; readonly children: RichNode[] }[] = [];
  let ignored = 0;

  const add = (node: RichNode): void => {
    const children = stack.at(-1)?.children ?? root;
    const last = children.at(-1);
    if (typeof node === 'string' && typeof last === 'string') children[children.length - 1] = last + node;
    else if (node !== '') children.push(node);
  };
  const close = (): void => {
    if (ignored > 0) ignored -= 1;
    else {
      const done = stack.pop();
      if (done) add(done);
    }
  };
  for (const item of items) {
    if (!isDelimiter(item)) add(item);
    else {
      for (let left = item.closes; left > 0; left -= 1) close();
      add(item.character.repeat(item.left));
      // The last pair is the outermost.
      for (const tag of item.opens.reverse()) {
        if (stack.length < MAX_DEPTH) stack.push({ tag, children: [] });
        else ignored += 1;
      }
    }
  }
  while (stack.length > 0) {
    ignored = 0;
    close();
  }
  return root;
}
