import type { Inline, ParseTally } from './block.ts';
import { decodeEntities, readEntity } from './decode-entity.ts';
import { InlineTree } from './inline-tree.ts';
import { toSafeHref } from './safe-href.ts';
import { isSpace, matchAt, readLinkTarget, runLength, trimAddress, trimCode } from './scan-text.ts';

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;
const INLINE_TAG = /<(\/?)(strong|code|br|em|ul|ol|li|a|b|i|p)(\s[^<>]*)?\/?>/iy;
const PARTIAL_TAG = /<\/?(?:[a-z]{0,6}|[a-z]{1,6}\s[^<>]*)$/iy;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const AUTOLINK = /https?:\/\/[^\s<>"`[\]]+/iy;
const ANGLE_LINK = /<((?:https?|mailto|tel):[^\s<>]+)>/iy;
const BACKTICKS = /`+/g;
const CODE_END = /<\/code>/gi;

/**
 * Parses one block's text in one pass. With `isOpen` the text is the end of a stream: what is begun but not
 * closed is shown as if it were closed, and a half-written marker at the very end is not shown at all.
 *
 * No search for a closer is repeated once it failed, which is what keeps hostile input linear.
 */
export function parseInline(source: string, isOpen: boolean, tally: ParseTally): Inline[] {
  const tree = new InlineTree(isOpen);
  let index = 0;
  let noTargetBefore = 0;
  let hasCodeEnd = true;
  /** Where the last run of each length stands, so that a closer that is not there is never searched for. */
  let lastBackticks: Map<number, number> | null = null;

  while (index < source.length) {
    tally.steps += 1;
    readNext(source.charAt(index));
  }
  return tree.finish();

  function readNext(character: string): void {
    switch (character) {
      case '\\':
        readEscape();
        return;
      case '`':
        readCodeSpan();
        return;
      case '*':
      case '_':
        readEmphasis(character);
        return;
      case '!':
        if (source.charAt(index + 1) === '[') {
          openBracket('![');
          return;
        }
        break;
      case '[':
        openBracket('[');
        return;
      case ']':
        closeBracket();
        return;
      case '<':
        readTag();
        return;
      case '&':
        readReference();
        return;
      case '\n':
        addNode({ kind: 'break' }, index + 1);
        return;
      case 'h':
      case 'H':
        readAutolink();
        return;
    }
    takeText(1);
  }

  function takeText(length: number): void {
    tree.addText(source.slice(index, index + length));
    index += length;
  }

  function addNode(node: Inline, nextIndex: number): void {
    tree.add(node);
    tally.steps += nextIndex - index;
    index = nextIndex;
  }

  function readEscape(): void {
    const next = source.charAt(index + 1);
    index += 1;
    if (next === '\n' || (next === '' && isOpen)) return;
    if (next !== '' && PUNCTUATION.test(next)) takeText(1);
    else tree.addText('\\');
  }

  function readReference(): void {
    const entity = readEntity(source, index);
    if (!entity) {
      takeText(1);
      return;
    }
    tree.addText(entity.text);
    index += entity.length;
  }

  function readCodeSpan(): void {
    const length = runLength(source, index, '`');
    const from = index + length;
    const end = findBackticks(length, from);
    if (end >= 0) {
      addNode({ kind: 'code', text: trimCode(source.slice(from, end)) }, end + length);
    } else if (!isOpen) {
      takeText(length);
    } else {
      const text = source.slice(from).replace(/(?<!`)`+$/, '');
      if (text) addNode({ kind: 'code', text: trimCode(text) }, source.length);
      else index = source.length;
    }
  }

  /** The next run of exactly `length` backticks, or -1. What it passes on the way becomes part of the code. */
  function findBackticks(length: number, from: number): number {
    if (!lastBackticks) {
      lastBackticks = new Map();
      tally.steps += source.length;
      for (const [run, at] of runsOfBackticks(0)) lastBackticks.set(run, at);
    }
    if ((lastBackticks.get(length) ?? -1) < from) return -1;
    for (const [run, at] of runsOfBackticks(from)) if (run === length) return at;
    return -1;
  }

  function* runsOfBackticks(from: number): Generator<[length: number, at: number]> {
    BACKTICKS.lastIndex = from;
    for (const { 0: run, index: at } of source.matchAll(BACKTICKS)) yield [run.length, at];
  }

  function readEmphasis(character: string): void {
    const length = runLength(source, index, character);
    const before = source.charAt(index - 1);
    const after = source.charAt(index + length);
    if (length > 3) {
      takeText(length);
      return;
    }
    index += length;
    if (after === '' && isOpen && !tree.isFrameOpen(character.repeat(Math.min(length, 2)))) return;
    let canOpen = after !== '' && !isSpace(after);
    let canClose = before !== '' && !isSpace(before);
    if (character === '_') {
      canOpen &&= !WORD.test(before);
      canClose &&= !WORD.test(after);
    }
    let left = length;
    while (left > 0 && canClose) {
      const width = tree.closableLength(character, left);
      if (width === 0) break;
      tree.closeFrame(character.repeat(width));
      left -= width;
    }
    while (left > 0 && canOpen) {
      const key = character.repeat(Math.min(left, 2));
      if (tree.isFrameOpen(key)) break;
      tree.openFrame(key, key.length === 2 ? 'strong' : 'em', '');
      left -= key.length;
    }
    if (left > 0) tree.addText(character.repeat(left));
  }

  function openBracket(marker: string): void {
    tree.openBracket(marker);
    index += marker.length;
  }

  function closeBracket(): void {
    const target = tree.hasBracket() ? readTarget(index + 1) : null;
    if (!target) {
      tree.forgetBracket();
      takeText(1);
      return;
    }
    tree.closeBracket(tree.isFrameOpen('<a') ? null : toSafeHref(decodeEntities(target.href)));
    index = target.end;
  }

  /** Reads the address after a label; an unfinished one at the end of a stream is swallowed. */
  function readTarget(from: number): { href: string; end: number } | null {
    if (source.charAt(from) !== '(' || from < noTargetBefore) return null;
    const target = readLinkTarget(source, from);
    const end = target.status === 'complete' ? target.end : source.length;
    tally.steps += (target.status === 'none' ? target.reached : end) - from;
    if (target.status === 'complete') return target;
    if (target.status === 'unfinished' && isOpen) return { href: '', end };
    // Whatever begins inside the part that was read in vain is not tried again.
    noTargetBefore = target.status === 'none' ? target.reached : end;
    return null;
  }

  function readTag(): void {
    if (readAngleLink()) return;
    const tag = matchAt(INLINE_TAG, source, index);
    if (!tag) {
      if (isOpen && matchAt(PARTIAL_TAG, source, index)) index = source.length;
      else takeText(1);
      return;
    }
    const [whole, slash, name = '', attributes = ''] = tag;
    index += whole.length;
    tally.steps += whole.length;
    switch (name.toLowerCase()) {
      case 'br':
        tree.add({ kind: 'break' });
        return;
      case 'code':
        if (!slash) readHtmlCode();
        return;
      case 'a':
        toggleFrame('<a', 'link', slash === '/', readHref(attributes));
        return;
      case 'b':
      case 'strong':
        toggleFrame('<b', 'strong', slash === '/', '');
        return;
      case 'i':
      case 'em':
        toggleFrame('<i', 'em', slash === '/', '');
        return;
      // A paragraph or list tag that is not where blocks begin has nothing to say here.
    }
  }

  function readAngleLink(): boolean {
    const found = matchAt(ANGLE_LINK, source, index);
    const address = found?.[1] ?? '';
    const href = toSafeHref(address);
    if (!found || !href || tree.isInsideLink()) return false;
    const text = address.replace(/^(?:mailto|tel):/i, '');
    addNode({ kind: 'link', href, children: [{ kind: 'text', text }] }, index + found[0].length);
    return true;
  }

  function toggleFrame(key: string, kind: 'strong' | 'em' | 'link', isEnd: boolean, href: string): void {
    const isOpen = tree.isFrameOpen(key);
    if (isEnd && isOpen) tree.closeFrame(key);
    else if (!isEnd && !isOpen) tree.openFrame(key, kind, href);
  }

  function readHtmlCode(): void {
    const from = index;
    const end = hasCodeEnd ? matchAt(CODE_END, source, from) : null;
    if (end) {
      const text = decodeEntities(source.slice(from, end.index));
      if (text) tree.add({ kind: 'code', text });
      tally.steps += end.index - from;
      index = end.index + end[0].length;
    } else {
      hasCodeEnd = false;
      if (isOpen) addNode({ kind: 'code', text: source.slice(from) }, source.length);
    }
  }

  function readAutolink(): void {
    const isWordStart = !WORD.test(source.charAt(index - 1));
    const isCandidate = isWordStart && !tree.isInsideLink();
    const found = isCandidate ? matchAt(AUTOLINK, source, index) : null;
    if (!found) {
      takeText(1);
      return;
    }
    tally.steps += found[0].length;
    const isStillGrowing = isOpen && index + found[0].length === source.length;
    const text = trimAddress(found[0]);
    const href = toSafeHref(text);
    if (!href || isStillGrowing) {
      takeText(text.length);
      return;
    }
    addNode({ kind: 'link', href, children: [{ kind: 'text', text }] }, index + text.length);
  }
}

function readHref(attributes: string): string {
  const found = HREF.exec(attributes);
  return toSafeHref(decodeEntities(found?.[1] ?? found?.[2] ?? found?.[3] ?? '')) ?? '';
}
