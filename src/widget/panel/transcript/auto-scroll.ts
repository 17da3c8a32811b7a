import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { TranscriptItem } from '../../../client/index.ts';
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
  readonly entries: ReadonlySignal<readonly ReadonlySignal<TranscriptItem>[]>;
  /** The range of `entries` that is drawn. */
  readonly window: Signal<Window>;
}

/** A message is seen when this much of it is in view: its first line. */
const FIRST_LINE_PX = 24;

/** Scrolls the transcript by the rules of `select-scroll`, and keeps the text being read in place when content above changes. */
export class AutoScroll {
  /** `null` with nothing below the view, else the number of messages there that arrived and have not been in view. */
  readonly below: Signal<number | null> = signal<number | null>(null);
  readonly #viewport: HTMLElement;
  readonly #content: HTMLElement;
  readonly #root: Node;
  readonly #entries: ScrolledTranscript['entries'];
  readonly #window: Signal<Window>;
  readonly #messages: HTMLCollectionOf<HTMLElement>;
  /** The visitor's messages, and the lines at which later chats begin. */
  readonly #questions: HTMLCollectionOf<HTMLElement>;
  readonly #answers: HTMLCollectionOf<HTMLElement>;
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
  #entryCount = 0;
  /** Messages of the other side that arrived below the view and have not been in it. */
  #unseen = 0;

  constructor({ viewport, content, entries, window }: ScrolledTranscript) {
    this.#viewport = viewport;
    this.#content = content;
    this.#entries = entries;
    this.#window = window;
    this.#messages = content.getElementsByClassName('message') as HTMLCollectionOf<HTMLElement>;
    this.#questions = content.getElementsByClassName('subject') as HTMLCollectionOf<HTMLElement>;
    this.#answers = content.getElementsByClassName('agent message') as HTMLCollectionOf<HTMLElement>;
    this.#stopCounting = effect(() => this.#onEntries(entries.value));
    viewport.addEventListener('scroll', this.#onScroll, { passive: true });
    this.#root = viewport.getRootNode();
    this.#root.addEventListener('return', this.#onReturn);
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
      // Not `scrollTo`, which Prototype.js and MooTools replace.
      this.#viewport.scroll({ top: this.#viewport.scrollHeight, behavior: isCalm ? 'auto' : 'smooth' });
    });
  }

  /** Restores the position of the text being read after a change of the content, then follows if it should. */
  restorePosition(): void {
    // Not every browser has scroll anchoring, and none anchors at the very top.
    if (this.#anchor?.offsetParent) this.#viewport.scrollTop += this.#anchor.offsetTop - this.#anchorTop;
    const top = selectScrollTop(this.#mode, this.#measure());
    if (top !== null) this.#viewport.scrollTop = top;
    this.#rememberPosition();
    this.#showBelow();
  }

  dispose(): void {
    this.#stopCounting();
    this.#observer.disconnect();
    this.#viewport.removeEventListener('scroll', this.#onScroll);
    this.#root.removeEventListener('return', this.#onReturn);
  }

  #onResize(): void {
    const heightBefore = this.#seenHeight;
    const wasAtEnd = this.#last.top > 0 && pxBelow(this.#last) < 2;
    this.restorePosition();
    this.#seenHeight = this.#last.contentHeight;
    // Cards and notices that were loaded late, below a reader who was at the end.
    if (heightBefore && this.#seenHeight > heightBefore && !this.#isNewMessage && wasAtEnd)
      this.#viewport.scrollTop = this.#viewport.scrollHeight;
    this.#isNewMessage = this.#content.querySelector('[data-streaming=true]') !== null;
  }

  #onEntries(entries: readonly ReadonlySignal<TranscriptItem>[]): void {
    const { length: count } = entries;
    this.#isNewMessage = true;
    // The first messages of a conversation, also of a restored one, are not new.
    const isFirst = this.#entryCount === 0 || count < this.#entryCount;
    this.#unseen = isFirst ? 0 : this.#unseen + countAnswers(entries, this.#entryCount);
    this.#entryCount = count;
    // Removed content, such as the typing dots, may have moved the view without any scrolling.
    // Measuring an empty transcript would lay out a panel that is about to open, and the browser would do that twice.
    if (count > 0) this.#rememberPosition();
    this.#seenHeight ||= this.#last.contentHeight;
    const [from, to] = this.#window.peek();
    const isFollowing = this.#mode !== 'free' && pxBelow(this.#last) < NEAR_PX;
    if (isFollowing || count <= from) this.#window.value = selectEndWindow(count);
    // After the entries that are drawn have been drawn.
    else if (count > to) queueMicrotask(() => this.#showBelow());
  }

  readonly #onScroll = (): void => {
    const before = this.#last;
    // Scrolled by the code above, not by the reader. The content may have grown since, and #onResize has to compare with
    // its height before that.
    if (this.#viewport.scrollTop === before.top) return;
    this.#rememberPosition();
    this.#mode = selectFollowMode(this.#mode, before, this.#last);
    this.#showBelow();
  };

  /** Browsers forget where an element that was taken out of the page was scrolled to. */
  readonly #onReturn = (): void => {
    this.#viewport.scrollTop = this.#last.top;
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

  #showBelow(): void {
    // New messages are the last ones, so no more of them are unseen than are below the view.
    if (this.#unseen > 0) this.#unseen = Math.min(this.#unseen, this.#countAnswersBelow());
    this.below.value = isMoreBelow(this.#last) ? this.#unseen : null;
  }

  #countAnswersBelow(): number {
    const end = this.#last.top + this.#last.viewportHeight - FIRST_LINE_PX;
    const answers = [...this.#answers];
    const firstBelow = answers.findLastIndex((answer) => answer.offsetTop < end) + 1;
    return answers.length - firstBelow + countAnswers(this.#entries.peek(), this.#window.peek()[1]);
  }

  #goTo(mode: FollowMode, whenDrawn: () => void): void {
    this.#mode = mode;
    this.#window.value = selectEndWindow(this.#entries.peek().length);
    // Preact has queued its own microtask for the new window, and that one runs first.
    queueMicrotask(whenDrawn);
  }
}

/** Returns how many of the entries from `start` on are messages of the other side. */
function countAnswers(entries: readonly ReadonlySignal<TranscriptItem>[], start: number): number {
  return entries.slice(start).filter((entry) => entry.peek().kind === 'agent').length;
}
