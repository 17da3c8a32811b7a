import { type ComponentChild, render } from 'preact';
import { pageDocument } from '../page-document.ts';
import css from './page.css?inline';
import type { SavedConversation } from './saved-conversation.ts';

/**
 * Prints `page` and nothing of the site around it, by way of an empty frame in `root`. The frame has no address, so
 * that a policy which forbids frames has nothing to refuse; it goes when the visitor has printed or thought better.
 */
export async function printPage(
  page: ComponentChild,
  { title, language, direction }: SavedConversation,
  root: Node,
): Promise<void> {
  const frame = pageDocument.createElement('iframe');
  frame.className = 'sr';
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  // Some browsers exchange the empty document once, and tell when they have.
  await new Promise((resolve) => {
    frame.onload = resolve;
    root.appendChild(frame);
  });
  const inner = frame.contentWindow as (Window & typeof globalThis) | null;
  if (!inner) return;
  const sheet = new inner.CSSStyleSheet();
  sheet.replaceSync(css);
  inner.document.adoptedStyleSheets = [sheet];
  inner.document.title = title;
  inner.document.documentElement.lang = language;
  inner.document.documentElement.dir = direction;
  const { body } = inner.document;
  render(page, body);
  inner.addEventListener('afterprint', () => {
    render(null, body);
    frame.remove();
  });
  inner.focus();
  inner.print();
}
