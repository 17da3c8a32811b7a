import type { AutoScroll, ScrolledTranscript } from '../../panel/transcript/auto-scroll.ts';
import { NEAR_PX, pxBelow } from '../../panel/transcript/select-scroll.ts';
import { WINDOW_STEP, type Window, windowFrom } from '../../panel/transcript/select-window.ts';
import { MessageNavigation } from './message-navigation.ts';

/**
 * Lets a reader go through all of a long conversation: draws more messages before the reader scrolls to the edge of the
 * drawn ones, moves the focus between messages by keys, and prints all messages. Returns a function that stops it.
 */
export function startHistoryNavigation(transcript: ScrolledTranscript, autoScroll: AutoScroll): () => void {
  const { viewport, entries, window } = transcript;
  const navigation = new MessageNavigation(viewport);
  // One more than the position, so that a reader who is already at the upper edge counts as scrolling up.
  let top = viewport.scrollTop + 1;

  function draw(next: Window, whenDrawn?: () => void): void {
    drawWindow(transcript, autoScroll, next, () => {
      whenDrawn?.();
      top = viewport.scrollTop;
    });
  }

  const onScroll = (): void => {
    const step = selectStep(viewport, window.peek(), entries.peek().length, top);
    top = viewport.scrollTop;
    if (step !== 0) draw(windowFrom(window.peek()[0] + step));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The browser scrolls only through the messages that are drawn.
    if (event.key === 'Home') {
      draw(windowFrom(0), () => {
        viewport.scrollTop = 0;
        navigation.goTo('first');
      });
    } else if (event.key === 'End') {
      autoScroll.goToEnd();
      queueMicrotask(() => navigation.goTo('last'));
    } else if (!navigation.handleKey(event)) return;
    event.preventDefault();
  };
  viewport.addEventListener('scroll', onScroll, { passive: true });
  viewport.addEventListener('keydown', onKeyDown);
  const stopPrinting = printWhole(() => window.peek(), draw);
  onScroll();
  return () => {
    viewport.removeEventListener('scroll', onScroll);
    viewport.removeEventListener('keydown', onKeyDown);
    stopPrinting();
  };
}

/** Draws another range of messages. Keeps the text being read in place, and the focus inside the transcript. */
function drawWindow(
  { viewport, window }: ScrolledTranscript,
  autoScroll: AutoScroll,
  next: Window,
  whenDrawn: () => void,
): void {
  const root = viewport.getRootNode();
  const hasFocus = (): boolean => root instanceof ShadowRoot && viewport.contains(root.activeElement);
  const hadFocus = hasFocus();
  window.value = next;
  // Preact has queued its own microtask for the new window, and that one runs first.
  queueMicrotask(() => {
    // The focused element may have been removed with its message.
    if (hadFocus && !hasFocus()) viewport.focus({ preventScroll: true });
    autoScroll.restorePosition();
    whenDrawn();
  });
}

/** How far the window moves after a scroll from `before`, in entries; 0 while the reader is not near one of its edges. */
function selectStep(viewport: HTMLElement, [from, to]: Window, count: number, before: number): number {
  const { scrollTop: top, clientHeight: viewportHeight, scrollHeight: contentHeight } = viewport;
  if (top < before && top < NEAR_PX && from > 0) return -WINDOW_STEP;
  const below = pxBelow({ top, viewportHeight, contentHeight });
  return top > before && below < NEAR_PX && to < count ? WINDOW_STEP : 0;
}

/** Draws all entries while the browser prints the page. Returns a function that stops it. */
function printWhole(readWindow: () => Window, draw: (window: Window) => void): () => void {
  let before = readWindow();
  const onBeforePrint = (): void => {
    before = readWindow();
    draw([0, Number.POSITIVE_INFINITY]);
  };
  const onAfterPrint = (): void => draw(before);
  addEventListener('beforeprint', onBeforePrint);
  addEventListener('afterprint', onAfterPrint);
  return () => {
    removeEventListener('beforeprint', onBeforePrint);
    removeEventListener('afterprint', onAfterPrint);
  };
}
