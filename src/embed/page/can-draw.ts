/**
 * Returns false where a widget cannot be drawn: in the simulated browsers of test runners (jsdom, happy-dom), by their
 * user agent, and in browsers without shadow parts or constructed style sheets.
 */
export const canDraw = (): boolean =>
  !/\b(?:jsdom|HappyDOM)\//.test(navigator.userAgent) &&
  'adoptedStyleSheets' in ShadowRoot.prototype &&
  'part' in Element.prototype;
