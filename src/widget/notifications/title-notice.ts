import { pageDocument } from '../page-document.ts';
/** The number of unread messages before the title of the page. */
export interface TitleNotice {
  /** Puts `notice` before the title, or takes it away when it is empty. */
  show(notice: string): void;
  /** Leaves the title as the page has it. */
  dispose(): void;
}

/**
 * A text node of its own at the beginning of the page's `<title>`: what the page has written there is never touched,
 * so that taking the node out gives back every character of it. When the page changes its title meanwhile, the notice
 * is put before the new one.
 */
export function createTitleNotice(page: Document = pageDocument): TitleNotice {
  const node = page.createTextNode('');
  const place = (): void => {
    const title = page.head.querySelector('title');
    if (!title) return;
    if (title.firstChild !== node) {
      const text = title.textContent ?? '';
      // A page that adds to its own title has read the notice with it and written it back.
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
