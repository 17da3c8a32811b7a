// The widget's view: a panel in a shadow root, driven by a headless client.
export { loadTerms, type MakeTerms } from './load-terms.ts';
export { toImageUrl } from './markdown/safe-href.ts';
export type { EmitWidgetEvent, WidgetEvents, WidgetOptions } from './options.ts';
export { createPanel } from './panel.tsx';
export { createPart } from './part.ts';
export { readText } from './read-text.ts';
export { fillCount } from './strings/fill.ts';
export type { Texts } from './strings/follow-language.ts';
export { type LoadedTexts, loadFirstTexts } from './strings/follow-language.ts';
export { watchFinished } from './watch-finished.ts';
