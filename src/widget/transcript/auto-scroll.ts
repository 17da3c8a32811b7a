import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import {
  type FollowMode,
  isMoreBelow,
  NEAR_PX,
  pxBelow,
  type ScrollMetrics,
  selectFollowMode,
  selectScrollTop,
} from './select-scroll.ts';
import { selectEndWindow, type Window } from './select-window.ts';

/** The scrolled elements of a transcript, and the range of its entries that is drawn. */
export interface ScrolledTranscript {
  readonly viewport: HTMLElement;
  readonly content: HTMLElement;
  readonly entries: ReadonlySignal<readonly unknown[]>;
  /** The range of `entries` that is drawn. */
  readonly window: Signal<Window>;
}

/** Content below the view: `new` when it came while the reader was elsewhere, until they have seen it. */
type Below = 'nothing' | 'old' | 'new';

/** Scrolls the transcript by the rules of `select-scroll`, and keeps the text being read in place when content above changes. */
export class AutoScroll {
  readonly below: Signal<Below> = signal<Below>('nothing');
  readonly #viewport: HTMLElement;
  readonly #content: HTMLElement;
  readonly #entries: ScrolledTranscript['entries'];
  readonly #window: Signal<Window>;
  readonly #messages: HTMLCollectionOf<HTMLElement>;
  readonly #questions: HTMLCollectionOf<HTMLElement>;
  readonly #observer: ResizeObserver;
  readonly #stopCounting: () => void;
  #mode: FollowMode = 'question';
  /** The first message in view, and its position at the last look. */
  #anchor: HTMLElement | undefined;
  #anchorTop = 0;
  #last: ScrollMetrics = { top: 0, viewportHeight: 0, contentHeight: 0, questionTop: 0, isCut: false };
  #seenHeight = 0;
  /** A message came or is being written since the last resize. Only then is more height a new message. */
  #isNewMessage = false;

  constructor({ viewport, content, entries, window }: ScrolledTranscript) {
    this.#viewport = viewport;
    this.#content = content;
    this.#entries = entries;
    this.#window = window;
    this.#messages = content.getElementsByClassName('message') as HTMLCollectionOf<HTMLElement>;
    this.#questions = content.getElementsByClassName('visitor') as HTMLCollectionOf<HTMLElement>;
    this.#stopCounting = effect(() => this.#onEntries(entries.value.length));
    viewport.addEventListener('scroll', this.#onScroll, { passive: true });
    // The first run of the effect counted messages that were there before.
    this.#isNewMessage = false;
    this.#observer = new ResizeObserver(() => this.#onResize());
    this.#observer.observe(viewport);
    this.#observer.observe(content);
  }

  /** Scrolls to the visitor's last message, and follows the answer until that message is at the top. */
  goToQuestion(): void {
    this.#goTo('question', () => this.restorePosition());
  }

  goToEnd(): void {
    this.#goTo('end', () => {
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      this.#viewport.scrollTo({ top: this.#viewport.scrollHeight, behavior: isCalm ? 'auto' : 'smooth' });
    });
  }

  /** Restores the position of the text being read after a change of the content, then follows if it should. */
  restorePosition(): void {
    // Not every browser has scroll anchoring of its own, and none anchors at the very top.
    if (this.#anchor?.offsetParent) this.#viewport.scrollTop += this.#anchor.offsetTop - this.#anchorTop;
    const top = selectScrollTop(this.#mode, this.#measure());
    if (top !== null) this.#viewport.scrollTop = top;
    this.#rememberPosition();
    this.#showBelow(this.below.peek());
  }

  dispose(): void {
    this.#stopCounting();
    this.#observer.disconnect();
    this.#viewport.removeEventListener('scroll', this.#onScroll);
  }

  #onResize(): void {
    const heightBefore = this.#seenHeight;
    const wasAtEnd = this.#last.top > 0 && pxBelow(this.#last) < 2;
    this.restorePosition();
    this.#seenHeight = this.#last.contentHeight;
    // A height of 0 before means that the content was not laid out; its messages are not new then.
    if (heightBefore && this.#seenHeight > heightBefore) {
      if (this.#isNewMessage) this.#showBelow('new');
      // Cards and notices that were loaded late, below a reader who was at the end.
      else if (wasAtEnd) this.#viewport.scrollTop = this.#viewport.scrollHeight;
    }
    this.#isNewMessage = this.#content.querySelector('[data-streaming=true]') !== null;
  }

  #onEntries(count: number): void {
    this.#isNewMessage = true;
    // Removed content, such as the typing dots, may have moved the view without any scrolling.
    // Measuring an empty transcript would lay out a panel that is about to open, and the browser would do that twice.
    if (count > 0) this.#rememberPosition();
    this.#seenHeight ||= this.#last.contentHeight;
    const [from, to] = this.#window.peek();
    const isFollowing = this.#mode !== 'free' && pxBelow(this.#last) < NEAR_PX;
    if (isFollowing || count <= from) this.#window.value = selectEndWindow(count);
    else if (count > to) this.#showBelow('new');
  }

  readonly #onScroll = (): void => {
    const before = this.#last;
    this.#rememberPosition();
    this.#mode = selectFollowMode(this.#mode, before, this.#last);
    this.#showBelow(this.below.peek());
  };

  #measure(): ScrollMetrics {
    return {
      top: this.#viewport.scrollTop,
      viewportHeight: this.#viewport.clientHeight,
      contentHeight: this.#viewport.scrollHeight,
      // Not getBoundingClientRect(), which is too low while a message moves into place.
      questionTop: this.#questions[this.#questions.length - 1]?.offsetTop ?? 0,
      isCut: this.#entries.peek().length > this.#window.peek()[1],
    };
  }

  #rememberPosition(): void {
    this.#last = this.#measure();
    const { top } = this.#last;
    this.#anchor = [...this.#messages].find((message) => message.offsetTop + message.offsetHeight > top);
    this.#anchorTop = this.#anchor?.offsetTop ?? 0;
  }

  #showBelow(kind: Below): void {
    this.below.value = isMoreBelow(this.#last) ? (kind === 'new' ? kind : 'old') : 'nothing';
  }

  #goTo(mode: FollowMode, whenDrawn: () => void): void {
    this.#mode = mode;
    this.#window.value = selectEndWindow(this.#entries.peek().length);
    // Preact has queued its own microtask for the new window, and that one runs first.
    queueMicrotask(whenDrawn);
  }
}
