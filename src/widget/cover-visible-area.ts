import { effect, type ReadonlySignal } from '@preact/signals-core';

/**
 * While `isCovering`, keeps `frame` exactly over the visible part of the window, above an on-screen keyboard,
 * and keeps the page behind from scrolling. Undoes both to what the page had set.
 */
export function coverVisibleArea(frame: HTMLElement, isCovering: ReadonlySignal<boolean>): () => void {
  return effect(() => {
    if (!isCovering.value) return;
    const viewport = window.visualViewport;
    const follow = () => {
      // A page zoomed in with the fingers is somebody reading closely; the sheet stays where it is.
      if (!viewport || viewport.scale > 1.01) return;
      frame.style.setProperty('--_top', `${viewport.offsetTop}px`);
      frame.style.setProperty('--_height', `${viewport.height}px`);
    };
    follow();
    const life = new AbortController();
    for (const type of ['resize', 'scroll']) viewport?.addEventListener(type, follow, life);
    const unlock = lockPageScroll(document.documentElement);
    return () => {
      life.abort();
      frame.style.removeProperty('--_top');
      frame.style.removeProperty('--_height');
      unlock();
    };
  });
}

function lockPageScroll(page: HTMLElement): () => void {
  const value = page.style.getPropertyValue('overflow');
  const priority = page.style.getPropertyPriority('overflow');
  page.style.setProperty('overflow', 'hidden', 'important');
  return () => {
    if (value) page.style.setProperty('overflow', value, priority);
    else page.style.removeProperty('overflow');
  };
}
