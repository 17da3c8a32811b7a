import css from './inline.css?inline';

/** Puts the widget into the page where its element stands, instead of over it. */
export function standInPage(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
}
