import { BacktickRuns } from './backtick-runs.ts';
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
const CODE_END = /<\/code>/gi;

/**
 * Parses one block's text in one pass. With `isOpen` the text is the end of a stream: what is begun but not
 * closed is shown as if it were closed, and a half-written marker at the very end is not shown at all.
 *
 * No search for a closer is repeated once it failed, which is what keeps hostile input linear.
 */
export function parseInline(source: string, isOpen: boolean, tally: ParseTally): Inline[] {
  return new InlineParser(source, isOpen, tally).parse();
}

class InlineParser {
  readonly #source: string;
  readonly #isOpen: boolean;
  readonly #tally: ParseTally;
  readonly #tree: InlineTree;
  #index = 0;
  #noTargetBefore = 0;
  #hasCodeEnd = true;
  #backticks: BacktickRuns | null = null;

  constructor(source: string, isOpen: boolean, tally: ParseTally) {
    this.#source = source;
    this.#isOpen = isOpen;
    this.#tally = tally;
    this.#tree = new InlineTree(isOpen);
  }

  parse(): Inline[] {
    while (this.#index < this.#source.length) {
      this.#tally.steps += 1;
      this.#step(this.#source.charAt(this.#index));
    }
    return this.#tree.finish();
  }

  #step(character: string): void {
    switch (character) {
      case '\\':
        this.#escape();
        return;
      case '`':
        this.#codeSpan();
        return;
      case '*':
      case '_':
        this.#emphasis(character);
        return;
      case '!':
        if (this.#source.charAt(this.#index + 1) === '[') {
          this.#openBracket('![');
          return;
        }
        break;
      case '[':
        this.#openBracket('[');
        return;
      case ']':
        this.#closeBracket();
        return;
      case '<':
        this.#tag();
        return;
      case '&':
        this.#entity();
        return;
      case '\n':
        this.#add({ kind: 'break' }, this.#index + 1);
        return;
      case 'h':
      case 'H':
        this.#autolink();
        return;
    }
    this.#take(1);
  }

  #take(length: number): void {
    this.#tree.addText(this.#source.slice(this.#index, this.#index + length));
    this.#index += length;
  }

  #add(node: Inline, nextIndex: number): void {
    this.#tree.add(node);
    this.#tally.steps += nextIndex - this.#index;
    this.#index = nextIndex;
  }

  #escape(): void {
    const next = this.#source.charAt(this.#index + 1);
    this.#index += 1;
    if (next === '\n' || (next === '' && this.#isOpen)) return;
    if (next !== '' && PUNCTUATION.test(next)) this.#take(1);
    else this.#tree.addText('\\');
  }

  #entity(): void {
    const entity = readEntity(this.#source, this.#index);
    if (!entity) {
      this.#take(1);
      return;
    }
    this.#tree.addText(entity.text);
    this.#index += entity.length;
  }

  #codeSpan(): void {
    const length = runLength(this.#source, this.#index, '`');
    const from = this.#index + length;
    this.#backticks ??= new BacktickRuns(this.#source, this.#tally);
    const end = this.#backticks.find(length, from);
    if (end >= 0) {
      this.#add({ kind: 'code', text: trimCode(this.#source.slice(from, end)) }, end + length);
    } else if (!this.#isOpen) {
      this.#take(length);
    } else {
      const text = this.#source.slice(from).replace(/(?<!`)`+$/, '');
      if (text) this.#add({ kind: 'code', text: trimCode(text) }, this.#source.length);
      else this.#index = this.#source.length;
    }
  }

  #emphasis(character: string): void {
    const length = runLength(this.#source, this.#index, character);
    const before = this.#source.charAt(this.#index - 1);
    const after = this.#source.charAt(this.#index + length);
    if (length > 3) {
      this.#take(length);
      return;
    }
    this.#index += length;
    if (after === '' && this.#isOpen && !this.#tree.isFrameOpen(character.repeat(Math.min(length, 2))))
      return;
    let canOpen = after !== '' && !isSpace(after);
    let canClose = before !== '' && !isSpace(before);
    if (character === '_') {
      canOpen &&= !WORD.test(before);
      canClose &&= !WORD.test(after);
    }
    let left = length;
    while (left > 0 && canClose) {
      const width = this.#tree.closableLength(character, left);
      if (width === 0) break;
      this.#tree.closeFrame(character.repeat(width));
      left -= width;
    }
    while (left > 0 && canOpen) {
      const key = character.repeat(Math.min(left, 2));
      if (this.#tree.isFrameOpen(key)) break;
      this.#tree.openFrame(key, key.length === 2 ? 'strong' : 'em', '');
      left -= key.length;
    }
    if (left > 0) this.#tree.addText(character.repeat(left));
  }

  #openBracket(marker: string): void {
    this.#tree.openBracket(marker);
    this.#index += marker.length;
  }

  #closeBracket(): void {
    const target = this.#tree.hasBracket() ? this.#readTarget(this.#index + 1) : null;
    if (!target) {
      this.#tree.forgetBracket();
      this.#take(1);
      return;
    }
    this.#tree.closeBracket(this.#tree.isFrameOpen('<a') ? null : toSafeHref(decodeEntities(target.href)));
    this.#index = target.end;
  }

  /** Reads the address after a label; an unfinished one at the end of a stream is swallowed. */
  #readTarget(from: number): { href: string; end: number } | null {
    if (this.#source.charAt(from) !== '(' || from < this.#noTargetBefore) return null;
    const target = readLinkTarget(this.#source, from);
    const end = target.status === 'complete' ? target.end : this.#source.length;
    this.#tally.steps += (target.status === 'none' ? target.reached : end) - from;
    if (target.status === 'complete') return target;
    if (target.status === 'unfinished' && this.#isOpen) return { href: '', end };
    // Whatever begins inside the part that was read in vain is not tried again.
    this.#noTargetBefore = target.status === 'none' ? target.reached : end;
    return null;
  }

  #tag(): void {
    if (this.#angleLink()) return;
    const tag = matchAt(INLINE_TAG, this.#source, this.#index);
    if (!tag) {
      if (this.#isOpen && matchAt(PARTIAL_TAG, this.#source, this.#index)) this.#index = this.#source.length;
      else this.#take(1);
      return;
    }
    const [whole, slash, name = '', attributes = ''] = tag;
    this.#index += whole.length;
    this.#tally.steps += whole.length;
    switch (name.toLowerCase()) {
      case 'br':
        this.#tree.add({ kind: 'break' });
        return;
      case 'code':
        if (!slash) this.#htmlCode();
        return;
      case 'a':
        this.#htmlFrame('<a', 'link', slash === '/', readHref(attributes));
        return;
      case 'b':
      case 'strong':
        this.#htmlFrame('<b', 'strong', slash === '/', '');
        return;
      case 'i':
      case 'em':
        this.#htmlFrame('<i', 'em', slash === '/', '');
        return;
      // A paragraph or list tag that is not where blocks begin has nothing to say here.
    }
  }

  #angleLink(): boolean {
    const found = matchAt(ANGLE_LINK, this.#source, this.#index);
    const address = found?.[1] ?? '';
    const href = toSafeHref(address);
    if (!found || !href || this.#tree.isInsideLink()) return false;
    const text = address.replace(/^(?:mailto|tel):/i, '');
    this.#add({ kind: 'link', href, children: [{ kind: 'text', text }] }, this.#index + found[0].length);
    return true;
  }

  #htmlFrame(key: string, kind: 'strong' | 'em' | 'link', isEnd: boolean, href: string): void {
    const isOpen = this.#tree.isFrameOpen(key);
    if (isEnd && isOpen) this.#tree.closeFrame(key);
    else if (!isEnd && !isOpen) this.#tree.openFrame(key, kind, href);
  }

  #htmlCode(): void {
    const from = this.#index;
    const end = this.#hasCodeEnd ? matchAt(CODE_END, this.#source, from) : null;
    if (end) {
      const text = decodeEntities(this.#source.slice(from, end.index));
      if (text) this.#tree.add({ kind: 'code', text });
      this.#tally.steps += end.index - from;
      this.#index = end.index + end[0].length;
    } else {
      this.#hasCodeEnd = false;
      if (this.#isOpen) this.#add({ kind: 'code', text: this.#source.slice(from) }, this.#source.length);
    }
  }

  #autolink(): void {
    const isWordStart = !WORD.test(this.#source.charAt(this.#index - 1));
    const isCandidate = isWordStart && !this.#tree.isInsideLink();
    const found = isCandidate ? matchAt(AUTOLINK, this.#source, this.#index) : null;
    if (!found) {
      this.#take(1);
      return;
    }
    this.#tally.steps += found[0].length;
    const isStillGrowing = this.#isOpen && this.#index + found[0].length === this.#source.length;
    const text = trimAddress(found[0]);
    const href = toSafeHref(text);
    if (!href || isStillGrowing) {
      this.#take(text.length);
      return;
    }
    this.#add({ kind: 'link', href, children: [{ kind: 'text', text }] }, this.#index + text.length);
  }
}

function readHref(attributes: string): string {
  const found = HREF.exec(attributes);
  return toSafeHref(decodeEntities(found?.[1] ?? found?.[2] ?? found?.[3] ?? '')) ?? '';
}
