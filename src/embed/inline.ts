import css from './inline.css?inline';

/** Puts the widget into the page where its element stands, instead of over it. */
export function standInPage(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
  // A script that ran while the page was being read may have come before its place.
  if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', () => takePlace(root.host), { once: true });
  else takePlace(root.host);
}

/** The script tag's element stands beside the body for want of its place, and goes there when there is one. */
function takePlace(host: Element): void {
  if (host.id && host.parentNode === document.documentElement)
    document.body.querySelector(`#${host.id}`)?.replaceWith(host);
}
