import { adoptCss, pageDocument } from '../../widget/index.ts';
import css from './stand-in-page.css?inline';

/** Puts the widget into the page where its element stands, instead of over it. The returned function puts it over the page. */
export function standInPage(root: ShadowRoot): () => void {
  const dropSheet = adoptCss(root, css);
  // A script that ran while the page was being read may have come before its place.
  if (pageDocument.readyState === 'loading')
    pageDocument.addEventListener('DOMContentLoaded', () => takePlace(root.host), { once: true });
  else takePlace(root.host);
  return dropSheet;
}

/** The script tag's element stands beside the body for want of its place, and goes there when there is one. */
function takePlace(host: Element): void {
  if (host.id && host.parentNode === pageDocument.documentElement)
    pageDocument.body.querySelector(`#${host.id}`)?.replaceWith(host);
}
