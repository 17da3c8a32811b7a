import { type ReadonlySignal, signal } from '@preact/signals-core';
import {
  type FollowMode,
  isMoreBelow,
  type ScrollMetrics,
  selectFollowMode,
  selectScrollTop,
} from './select-scroll.ts';

/** Moves the transcript's view by the rules of `select-scroll`, and says what lies below it. */
export class FollowScroll {
  readonly #viewport: HTMLElement;
  readonly #questions: HTMLCollectionOf<Element>;
  readonly #observer: ResizeObserver;
  readonly #below = signal<'nothing' | 'old' | 'new'>('nothing');
  #mode: FollowMode = 'question';
  #last: ScrollMetrics;

  constructor(viewport: HTMLElement, content: HTMLElement) {
    this.#viewport = viewport;
    this.#questions = content.getElementsByClassName('visitor');
    this.#last = this.#measure();
    this.#observer = new ResizeObserver(() => this.#onResize());
    this.#observer.observe(viewport);
    this.#observer.observe(content);
    viewport.addEventListener('scroll', this.#onScroll, { passive: true });
  }

  /** Whether there is more below the view, and whether it came while the reader was elsewhere. */
  get below(): ReadonlySignal<'nothing' | 'old' | 'new'> {
    return this.#below;
  }

  /** The visitor has asked something: go there, and stay with it. */
  goToQuestion(): void {
    this.#mode = 'question';
    this.#onResize();
  }

  goToEnd(): void {
    this.#mode = 'end';
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#viewport.scrollTo({ top: this.#viewport.scrollHeight, behavior: isCalm ? 'auto' : 'smooth' });
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#viewport.removeEventListener('scroll', this.#onScroll);
  }

  #onResize(): void {
    const before = this.#last;
    const top = selectScrollTop(this.#mode, this.#measure());
    if (top !== null) this.#viewport.scrollTop = top;
    this.#last = this.#measure();
    // What has no height was not on the page yet, and what it held then did not come while one read.
    this.#updateBelow(before.contentHeight > 0 && this.#last.contentHeight > before.contentHeight);
  }

  readonly #onScroll = (): void => {
    const now = this.#measure();
    this.#mode = selectFollowMode(this.#mode, this.#last, now);
    this.#last = now;
    this.#updateBelow(false);
  };

  #updateBelow(hasGrown: boolean): void {
    if (!isMoreBelow(this.#last)) this.#below.value = 'nothing';
    else if (hasGrown || this.#below.peek() === 'new') this.#below.value = 'new';
    else this.#below.value = 'old';
  }

  #measure(): ScrollMetrics {
    const question = this.#questions[this.#questions.length - 1];
    return {
      top: this.#viewport.scrollTop,
      viewportHeight: this.#viewport.clientHeight,
      contentHeight: this.#viewport.scrollHeight,
      // Not its rectangle: a message that is still rising into place would be measured too low.
      questionTop: question instanceof HTMLElement ? question.offsetTop : 0,
    };
  }
}
