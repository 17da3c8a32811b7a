// The widget's view: a panel in a shadow root that shows the state of a headless client.

export { isAlwaysOpen } from './is-always-open.ts';
export { loadTerms, type MakeTerms, type Terms } from './load-terms.ts';
export { createLazyPart } from './model/lazy-part.ts';
export { onMessageComplete } from './model/on-message-complete.ts';
export type {
  EmitWidgetEvent,
  ProactiveRule,
  WidgetChanges,
  WidgetErrorCode,
  WidgetEvents,
  WidgetOptions,
} from './options.ts';
export { adoptCss } from './page/adopt-css.ts';
export { afterPaint } from './page/after-paint.ts';
export { pageDocument } from './page/page-document.ts';
export { readOwnGlobal } from './page/read-own-global.ts';
export { SITE_MESSAGES_KEY } from './page/site-messages.ts';
export { whenIdle } from './page/when-idle.ts';
export { createPanel, type Panel } from './panel.tsx';
export { toImageUrl } from './safe-href.ts';
export { fillCount } from './strings/fill.ts';
export type { Texts } from './strings/follow-language.ts';
export { type LoadedTexts, loadFirstTexts } from './strings/follow-language.ts';
