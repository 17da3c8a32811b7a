/**
 * Keeps `frame` exactly over the visible part of the window, above an on-screen keyboard, and the page behind from
 * scrolling. Returns what undoes both to what the page had set.
 */
export function coverVisibleArea(frame: HTMLElement): () => void {
  const viewport = window.visualViewport;
  const follow = () => {
    // A page zoomed in with the fingers is somebody reading closely; the sheet stays where it is.
    if (!viewport || viewport.scale > 1.01) return;
    frame.style.cssText = `--_top: ${viewport.offsetTop}px; --_height: ${viewport.height}px`;
  };
  follow();
  const life = new AbortController();
  for (const type of ['resize', 'scroll']) viewport?.addEventListener(type, follow, life);
  const { style } = document.documentElement;
  const before = style.overflow;
  const priority = style.getPropertyPriority('overflow');
  style.setProperty('overflow', 'hidden', 'important');
  return () => {
    life.abort();
    frame.style.cssText = '';
    style.setProperty('overflow', before, priority);
  };
}
