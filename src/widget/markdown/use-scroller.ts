import { useSignal } from '@preact/signals';
import type { HTMLAttributes, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Attributes of an element that may scroll sideways. */
type ScrollerAttributes = HTMLAttributes<HTMLElement> & { readonly ref: RefObject<never> };

/**
 * Returns the attributes of an element with one child that may be wider. While it is, the element is a tab stop with the
 * name from `getName`, because the keyboard scrolls only a focused element; else Tab passes it.
 */
export function useScroller(getName: () => string): ScrollerAttributes {
  const ref = useRef<HTMLElement>(null);
  const isScrolling = useSignal(false);
  useLayoutEffect(() => {
    const { current: box } = ref;
    if (!box?.firstElementChild) return;
    const observer = new ResizeObserver(() => {
      isScrolling.value = box.scrollWidth > box.clientWidth;
    });
    observer.observe(box);
    observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, [isScrolling]);
  return {
    ref: ref as RefObject<never>,
    ...(isScrolling.value && { tabIndex: 0, role: 'group', 'aria-label': getName() }),
  };
}
