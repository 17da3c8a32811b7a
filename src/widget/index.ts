// The widget's view: a panel in a shadow root that shows the state of a headless client.

export { adoptCss } from './dom/adopt-css.ts';
export { afterPaint } from './dom/after-paint.ts';
export { pageDocument } from './dom/page-document.ts';
export { readOwnGlobal } from './dom/read-own-global.ts';
export { SITE_MESSAGES_KEY } from './dom/site-messages.ts';
export { whenIdle } from './dom/when-idle.ts';
export { isAlwaysOpen } from './is-always-open.ts';
export { toImageUrl } from './links/safe-href.ts';
export { fillCount } from './locales/fill.ts';
export type { Texts } from './locales/follow-language.ts';
export { type LoadedTexts, loadFirstTexts } from './locales/follow-language.ts';
export type {
  EmitWidgetEvent,
  ProactiveRule,
  WidgetChanges,
  WidgetErrorCode,
  WidgetEvents,
  WidgetOptions,
} from './options.ts';
export { loadTerms, type MakeTerms, type Terms } from './panel/load-terms.ts';
export { createLazyPart } from './panel/model/lazy-part.ts';
export { onMessageComplete } from './panel/model/on-message-complete.ts';
export { createPanel, type Panel } from './panel/panel.tsx';
