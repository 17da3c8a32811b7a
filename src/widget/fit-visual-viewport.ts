import { pageDocument } from './page-document.ts';
/**
 * Keeps `frame` exactly over the visible part of the window, above an on-screen keyboard, and the page behind from
 * scrolling. Returns what undoes both to what the page had set.
 */
export function fitVisualViewport(frame: HTMLElement): () => void {
  // Only a document that is not shown has none.
  const viewport = window.visualViewport as VisualViewport;
  const { style } = pageDocument.documentElement;
  const { overflow } = style;
  const life = new AbortController();
  const follow = (): void => {
    // A page zoomed in with the fingers is somebody reading closely; the sheet stays where it is.
    if (viewport.scale < 1.01)
      frame.style.cssText = `--_top: ${viewport.offsetTop}px; --_height: ${viewport.height}px`;
  };
  for (const type of ['resize', 'scroll']) viewport.addEventListener(type, follow, life);
  follow();
  style.overflow = 'hidden';
  return () => {
    life.abort();
    frame.style.cssText = '';
    style.overflow = overflow;
  };
}
