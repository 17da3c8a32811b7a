import { pageDocument } from './page-document.ts';

/**
 * Fits `frame` to the visual viewport, above an on-screen keyboard, and stops the page from scrolling. Returns a function
 * that undoes both and restores the page's own values.
 */
export function fitVisualViewport(frame: HTMLElement): () => void {
  // It is null only in a document that is not active.
  const viewport = window.visualViewport as VisualViewport;
  const { style } = pageDocument.documentElement;
  const { overflow } = style;
  // The page's zoom, which older browsers do not report.
  const zoom = frame.currentCSSZoom ?? 1;
  const controller = new AbortController();
  const follow = (): void => {
    // While the visitor has zoomed in, the sheet stays as it is, so that it can be panned.
    if (viewport.scale < 1.01)
      frame.style.cssText = `--_top: ${viewport.offsetTop / zoom}px; --_height: ${viewport.height / zoom}px`;
  };
  for (const type of ['resize', 'scroll']) viewport.addEventListener(type, follow, controller);
  follow();
  style.overflow = 'hidden';
  return () => {
    controller.abort();
    frame.style.cssText = '';
    style.overflow = overflow;
  };
}
