import { pageDocument } from '../../dom/page-document.ts';

/** The number of unread messages before the title of the page. */
export interface TitleNotice {
  /** Inserts `notice` before the title; an empty one is removed. */
  show(notice: string): void;
  /** Removes the notice from the title. */
  dispose(): void;
}

/**
 * Keeps the notice in its own text node at the start of the page's `<title>`, so that removing the node restores the
 * title exactly. When the page changes its title, the notice is inserted before the new one.
 */
export function createTitleNotice(page: Document = pageDocument): TitleNotice {
  const node = page.createTextNode('');
  const place = (): void => {
    const title = page.head.querySelector('title');
    if (!title) return;
    if (title.firstChild !== node) {
      const text = title.textContent ?? '';
      // A page that prepends to `document.title` has read the notice and written it back as its own text.
      if (!node.isConnected && text.startsWith(node.data)) title.textContent = text.slice(node.data.length);
      title.prepend(node);
    }
    observer.takeRecords();
  };
  const observer = new MutationObserver(place);
  const dispose = (): void => {
    observer.disconnect();
    node.remove();
  };
  return {
    show(notice) {
      if (!notice) {
        dispose();
        return;
      }
      node.data = notice;
      observer.observe(page.head, { childList: true, subtree: true, characterData: true });
      place();
    },
    dispose,
  };
}
