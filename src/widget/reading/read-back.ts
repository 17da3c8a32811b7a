import type { FollowScroll, ScrolledTranscript } from '../follow-scroll.ts';
import { NEAR_PX, pxBelow } from '../select-scroll.ts';
import { WINDOW_STEP, type Window, windowFrom } from '../select-window.ts';
import { createMessageWalk } from './walk-messages.ts';

/**
 * Lets a reader go through all of a long conversation: more of it is drawn before an edge of what is drawn comes into
 * view, keys lead from message to message and to its ends, and on paper it is whole. Returns what stops that.
 */
export function readBack(
  { viewport, entries, window }: ScrolledTranscript,
  follow: FollowScroll,
): () => void {
  // Whoever was at the upper edge before this was there has been waiting for it.
  let top = viewport.scrollTop + 1;

  function draw(next: Window, andThen = () => {}): void {
    const root = viewport.getRootNode();
    const hasFocus = (): boolean => root instanceof ShadowRoot && viewport.contains(root.activeElement);
    const hadFocus = hasFocus();
    window.value = next;
    // The drawing has asked for its turn before this does.
    queueMicrotask(() => {
      // What had the focus may be drawn no more; the keyboard goes on in the transcript.
      if (hadFocus && !hasFocus()) viewport.focus({ preventScroll: true });
      follow.keep();
      andThen();
      top = viewport.scrollTop;
    });
  }

  const onScroll = (): void => {
    const before = top;
    top = viewport.scrollTop;
    const [from, to] = window.peek();
    const below = pxBelow({
      top,
      viewportHeight: viewport.clientHeight,
      contentHeight: viewport.scrollHeight,
    });
    const isUp = top < before && top < NEAR_PX && from > 0;
    const isDown = top > before && below < NEAR_PX && to < entries.peek().length;
    if (isUp || isDown) draw(windowFrom(from + (isUp ? -WINDOW_STEP : WINDOW_STEP)));
  };
  const walk = createMessageWalk(viewport);
  const onKeyDown = (event: KeyboardEvent): void => {
    // The browser knows only of what is drawn.
    if (event.key === 'Home') {
      draw(windowFrom(0), () => {
        viewport.scrollTo(0, 0);
        walk.goTo('first');
      });
    } else if (event.key === 'End') {
      follow.goToEnd();
      queueMicrotask(() => walk.goTo('last'));
    } else if (!walk.press(event)) return;
    event.preventDefault();
  };
  let read = window.peek();
  const onBeforePrint = (): void => {
    read = window.peek();
    draw([0, Number.POSITIVE_INFINITY]);
  };
  const onAfterPrint = (): void => draw(read);

  viewport.addEventListener('scroll', onScroll, { passive: true });
  viewport.addEventListener('keydown', onKeyDown);
  addEventListener('beforeprint', onBeforePrint);
  addEventListener('afterprint', onAfterPrint);
  onScroll();
  return () => {
    viewport.removeEventListener('scroll', onScroll);
    viewport.removeEventListener('keydown', onKeyDown);
    removeEventListener('beforeprint', onBeforePrint);
    removeEventListener('afterprint', onAfterPrint);
  };
}
