/**
 * Puts `host` into the top layer when its fixed `element` is outside the window: in a page that transforms or contains
 * its `html` or `body`, fixed elements are placed at the end of those. Watches until `signal` is aborted.
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
