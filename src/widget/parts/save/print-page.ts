import { type ComponentChild, render } from 'preact';
import { pageDocument } from '../../dom/page-document.ts';
import css from './page.css?inline';
import type { SavedConversation } from './saved-conversation.ts';

/**
 * Prints `page` without the site around it, through an iframe in `root`. The iframe has no address, so that a CSP which
 * forbids frames does not block it. It is removed when the print dialog has closed.
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
  // Some browsers replace the empty document once, and send `load` afterwards.
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
