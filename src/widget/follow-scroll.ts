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

/** A transcript that scrolls, and of which a part is drawn when it is long. */
export interface ScrolledTranscript {
  readonly viewport: HTMLElement;
  readonly content: HTMLElement;
  readonly entries: ReadonlySignal<readonly unknown[]>;
  /** What is drawn of `entries`. */
  readonly window: Signal<Window>;
}

/** What moves the view. */
export interface FollowScroll {
  /** Whether there is more below the view, and whether it came while the reader was elsewhere. */
  readonly below: ReadonlySignal<'nothing' | 'old' | 'new'>;
  /** The visitor has asked something: go there, and stay with it. */
  goToQuestion(): void;
  goToEnd(): void;
  /** Brings the view in line with what is drawn now. */
  keep(): void;
  dispose(): void;
}

/**
 * Moves the transcript's view by the rules of `select-scroll`, and says what lies below it. What is read stays where
 * it is, whatever changes above.
 */
export function createFollowScroll({ viewport, content, entries, window }: ScrolledTranscript): FollowScroll {
  const messages = content.getElementsByClassName('message') as HTMLCollectionOf<HTMLElement>;
  const questions = content.getElementsByClassName('visitor') as HTMLCollectionOf<HTMLElement>;
  const below = signal<'nothing' | 'old' | 'new'>('nothing');
  let mode: FollowMode = 'question';
  /** The first message in view, and where it stood. */
  let anchor: HTMLElement | undefined;
  let anchorTop = 0;
  let last = measure();

  /** Somebody has written since the height was seen last, or is writing. Whatever else comes is no news. */
  let isNews: boolean;
  let seenHeight = last.contentHeight;

  const observer = new ResizeObserver(() => {
    const before = seenHeight;
    const wasAtEnd = last.top > 0 && pxBelow(last) < 2;
    keep();
    seenHeight = last.contentHeight;
    // What has no height was not on the page yet, and what it held then did not come while one read.
    if (before && seenHeight > before) {
      if (isNews) showBelow('new');
      // Cards and lines that were fetched late, below what one has read to its end.
      else if (wasAtEnd) viewport.scrollTop = viewport.scrollHeight;
    }
    isNews = content.querySelector('[data-streaming=true]') !== null;
  });
  const stopCounting = effect(() => {
    const { length } = entries.value;
    isNews = true;
    // What has gone since, as the typing dots do, may have moved the view up; nobody has scrolled.
    look();
    const [from, to] = window.peek();
    const isFollowing = mode !== 'free' && pxBelow(last) < NEAR_PX;
    if (isFollowing || length <= from) window.value = selectEndWindow(length);
    else if (length > to) showBelow('new');
  });
  viewport.addEventListener('scroll', onScroll, { passive: true });
  // What was there before the first look is no news either.
  isNews = false;
  observer.observe(viewport);
  observer.observe(content);

  function measure(): ScrollMetrics {
    return {
      top: viewport.scrollTop,
      viewportHeight: viewport.clientHeight,
      contentHeight: viewport.scrollHeight,
      // Not its rectangle: a message that is still rising into place would be measured too low.
      questionTop: questions[questions.length - 1]?.offsetTop ?? 0,
      isCut: entries.peek().length > window.peek()[1],
    };
  }

  function look(): void {
    last = measure();
    anchor = [...messages].find((message) => message.offsetTop + message.offsetHeight > last.top);
    anchorTop = anchor?.offsetTop ?? 0;
  }

  function keep(): void {
    // Not by the browser's own anchoring, which not all have, and none at the very top.
    if (anchor?.offsetParent) viewport.scrollTop += anchor.offsetTop - anchorTop;
    const top = selectScrollTop(mode, measure());
    if (top !== null) viewport.scrollTop = top;
    look();
    showBelow(below.peek());
  }

  function onScroll(): void {
    const before = last;
    look();
    mode = selectFollowMode(mode, before, last);
    showBelow(below.peek());
  }

  /** What is below stays new until it has been seen. */
  function showBelow(kind: 'nothing' | 'old' | 'new'): void {
    below.value = isMoreBelow(last) ? (kind === 'new' ? kind : 'old') : 'nothing';
  }

  function goTo(next: FollowMode, andThen: () => void): void {
    mode = next;
    window.value = selectEndWindow(entries.peek().length);
    // The drawing has asked for its turn before this does.
    queueMicrotask(andThen);
  }

  return {
    below,
    keep,
    goToQuestion: () => goTo('question', keep),
    goToEnd: () =>
      goTo('end', () => {
        const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
        viewport.scrollTo({ top: viewport.scrollHeight, behavior: isCalm ? 'auto' : 'smooth' });
      }),
    dispose() {
      stopCounting();
      observer.disconnect();
      viewport.removeEventListener('scroll', onScroll);
    },
  };
}
