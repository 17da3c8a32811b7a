import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

// Within this distance, the reader counts as being at the end.
const NEAR_END_PX = 40;

/**
 * Keeps the end of a list in sight while it grows and while its place becomes smaller, unless the reader has scrolled
 * away from it: then nothing moves.
 *
 * @param content changes with what the list shows
 * @param subject identifies the list: another list is shown from its end
 */
export function useFollowedEnd(
  content: unknown,
  subject?: unknown,
): { readonly ref: RefObject<HTMLDivElement | null>; readonly onScroll: () => void } {
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const follow = (): void => {
    const { current } = ref;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject is shown from its end, and may have another element
  useLayoutEffect(() => {
    isAtEnd.current = true;
    const { current } = ref;
    if (current === null) return;
    const observer = new ResizeObserver(follow);
    observer.observe(current);
    return () => observer.disconnect();
  }, [subject]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content moves the end
  useLayoutEffect(follow, [content, subject]);
  return {
    ref,
    onScroll() {
      const { current } = ref;
      if (current === null) return;
      const { scrollHeight, scrollTop, clientHeight } = current;
      const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      // In a narrower place the text becomes longer and the browser scrolls down, too: only a reader scrolls up.
      if (isNear || scrollTop < lastTop.current) isAtEnd.current = isNear;
      lastTop.current = scrollTop;
    },
  };
}
