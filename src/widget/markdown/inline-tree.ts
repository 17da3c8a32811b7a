import type { Inline } from './block.ts';

interface Frame {
  /** `**`, `_`, … for Markdown, `<b`, `<a` for HTML; empty for the root. */
  readonly key: string;
  readonly kind: 'strong' | 'em' | 'link' | 'root';
  readonly href: string;
  readonly children: Inline[];
}

interface Bracket {
  readonly frame: Frame;
  readonly childIndex: number;
}

/**
 * The inline nodes of one block while they are being built.
 *
 * Open emphasis and open HTML elements are frames on a stack that never holds two frames of one key, so it is
 * at most a handful deep. A `[` is not a frame but a remembered place in the current frame: when no
 * `](address)` follows, it simply is the text that it already is.
 */
export class InlineTree {
  readonly #isOpen: boolean;
  readonly #frames: Frame[] = [{ key: '', kind: 'root', href: '', children: [] }];
  readonly #brackets: Bracket[] = [];
  #text = '';

  constructor(isOpen: boolean) {
    this.#isOpen = isOpen;
  }

  addText(text: string): void {
    this.#text += text;
  }

  add(node: Inline): void {
    this.#flush();
    this.#top().children.push(node);
  }

  openFrame(key: string, kind: 'strong' | 'em' | 'link', href: string): void {
    this.#flush();
    if (kind === 'link') this.#brackets.length = 0;
    this.#frames.push({ key, kind, href, children: [] });
  }

  isFrameOpen(key: string): boolean {
    return this.#frames.some((frame) => frame.key === key);
  }

  isInsideLink(): boolean {
    return this.#brackets.length > 0 || this.isFrameOpen('<a');
  }

  /** Length of the innermost open marker made of `character` that a run of `left` of them can close; 0 if none. */
  closableLength(character: string, left: number): number {
    const frame = this.#frames.findLast(({ key }) => key.startsWith(character) && key.length <= left);
    return frame ? frame.key.length : 0;
  }

  /** Closes the open frame called `key` and, before it, everything that was opened inside it. */
  closeFrame(key: string): void {
    this.#flush();
    while (this.#top().key !== key) this.#unwind();
    this.#wrap(this.#pop());
  }

  openBracket(marker: string): void {
    this.#flush();
    const frame = this.#top();
    this.#brackets.push({ frame, childIndex: frame.children.length });
    this.add({ kind: 'text', text: marker });
  }

  hasBracket(): boolean {
    return this.#brackets.length > 0;
  }

  forgetBracket(): void {
    this.#brackets.pop();
  }

  /** Turns what stands after the last `[` into a link, or into plain content when `href` is null. */
  closeBracket(href: string | null): void {
    const bracket = this.#brackets.pop();
    if (!bracket) return;
    this.#flush();
    while (this.#top() !== bracket.frame) this.#unwind();
    const { children } = bracket.frame;
    const label = children.splice(bracket.childIndex + 1);
    children.pop();
    // Links do not nest: what was opened further out stays text.
    this.#brackets.length = 0;
    if (href !== null)
      children.push({
        kind: 'link',
        href,
        children: label.length > 0 ? label : [{ kind: 'text', text: href }],
      });
    else append(children, label);
  }

  finish(): Inline[] {
    this.#flush();
    while (this.#frames.length > 1) this.#unwind();
    return trimBreaks(this.#top().children);
  }

  #top(): Frame {
    // The root frame is never popped.
    return this.#frames.at(-1) as Frame;
  }

  #flush(): void {
    if (this.#text === '') return;
    this.#top().children.push({ kind: 'text', text: this.#text });
    this.#text = '';
  }

  #pop(): Frame {
    const frame = this.#frames.pop() as Frame;
    // A frame's brackets lie above those of its parents, so they are all at the end.
    while (this.#brackets.at(-1)?.frame === frame) this.#brackets.pop();
    return frame;
  }

  /** Ends a frame whose closer never came: HTML ends as in a browser, Markdown was only text after all. */
  #unwind(): void {
    const frame = this.#pop();
    if (this.#isOpen || frame.key.startsWith('<')) {
      this.#wrap(frame);
      return;
    }
    const { children } = this.#top();
    children.push({ kind: 'text', text: frame.key });
    append(children, frame.children);
  }

  #wrap({ kind, href, children }: Frame): void {
    if (children.length === 0) return;
    const parent = this.#top().children;
    if (kind === 'strong' || kind === 'em') parent.push({ kind, children });
    else if (kind === 'link' && href) parent.push({ kind, href, children });
    else append(parent, children);
  }
}

// A spread would put every node on the call stack, and the text decides how many there are.
function append(target: Inline[], nodes: readonly Inline[]): void {
  for (const node of nodes) target.push(node);
}

/** Line breaks at the edges of a block would only add empty lines. */
function trimBreaks(children: readonly Inline[]): Inline[] {
  const first = children.findIndex((child) => child.kind !== 'break');
  const last = children.findLastIndex((child) => child.kind !== 'break');
  return first < 0 ? [] : children.slice(first, last + 1);
}
