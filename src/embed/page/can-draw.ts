/**
 * False where a widget cannot be drawn: simulated browsers that test runners have (jsdom, happy-dom), which name themselves,
 * and browsers without shadow parts or constructed style sheets.
 */
export const canDraw = (): boolean =>
  !/\b(?:jsdom|HappyDOM)\//.test(navigator.userAgent) &&
  'adoptedStyleSheets' in ShadowRoot.prototype &&
  'part' in Element.prototype;
