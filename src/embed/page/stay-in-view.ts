/**
 * Puts `host` into the top layer when `element` is outside the window although it is fixed to it: below a page that transforms or
 * contains its `html` or `body`, fixed elements stand where those end. Until `signal` is aborted.
 */
export function stayInView(host: HTMLElement, element: Element, signal: AbortSignal): void {
  const observer = new IntersectionObserver(([entry]) => {
    const { top = 0, bottom = 0, width = 0 } = entry?.boundingClientRect ?? {};
    const isOutside = width > 0 && (top >= innerHeight || bottom <= 0);
    // An inline chat scrolls with the page.
    if (isOutside && getComputedStyle(host).position === 'fixed') {
      host.popover = 'manual';
      host.showPopover();
    }
  });
  observer.observe(element);
  signal.addEventListener('abort', () => observer.disconnect());
}
