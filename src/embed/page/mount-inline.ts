import { adoptCss, pageDocument } from '../../widget/index.ts';
import css from './mount-inline.css?inline';

/** Shows the widget in the page, at its element, instead of over the page. Returns a function that undoes it. */
export function mountInline(root: ShadowRoot): () => void {
  const dropSheet = adoptCss(root, css);
  // A script that runs while the page is being parsed may run before its placeholder exists.
  if (pageDocument.readyState === 'loading')
    pageDocument.addEventListener('DOMContentLoaded', () => moveToPlaceholder(root.host), { once: true });
  else moveToPlaceholder(root.host);
  return dropSheet;
}

/** Moves the script tag's element from beside the body to its placeholder, if there is one. */
function moveToPlaceholder(host: Element): void {
  if (host.id && host.parentNode === pageDocument.documentElement)
    pageDocument.body.querySelector(`#${host.id}`)?.replaceWith(host);
}
