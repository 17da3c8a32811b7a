import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { pageDocument } from './page-document.ts';

/**
 * Keeps the focus inside `container`: when the focused element is removed, its nearest focusable ancestor gets the focus.
 * Browsers would move the focus to the start of the page.
 */
export function useFocusFallback(container: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    let focused: Element | null = null;
    const onFocusIn = (event: Event): void => {
      focused = event.target as Element;
    };
    // Chromium also sends this event for an element that is being removed; the observer still needs that one.
    const onFocusOut = (): void =>
      queueMicrotask(() => {
        if (focused?.isConnected && !focused.matches(':focus')) focused = null;
      });
    const observer = new MutationObserver((records) => {
      if (!focused || focused.isConnected) return;
      const removal = records.find(
        ({ target, removedNodes }) =>
          target.isConnected && [...removedNodes].some((node) => node.contains(focused)),
      );
      focused = null;
      const place = removal?.target;
      if (place instanceof Element) place.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    });
    // The widget was removed from the page and inserted again.
    const onReturn = (): void => {
      if (focused instanceof HTMLElement && pageDocument.activeElement === pageDocument.body)
        focused.focus({ preventScroll: true });
    };
    const root = element.getRootNode();
    root.addEventListener('return', onReturn);
    element.addEventListener('focusin', onFocusIn);
    element.addEventListener('focusout', onFocusOut);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', onFocusIn);
      element.removeEventListener('focusout', onFocusOut);
      observer.disconnect();
      root.removeEventListener('return', onReturn);
    };
  }, [container]);
}
