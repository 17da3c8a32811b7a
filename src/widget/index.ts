// The widget's view: a panel in a shadow root, driven by a headless client.
export type { EmitWidgetEvent, WidgetEvents, WidgetOptions } from './options.ts';
export { createPanel, type Panel, type PanelConfig } from './panel.tsx';
export { SMALL_SCREEN } from './small-screen.ts';
export { fill, type StringKey, type Strings } from './strings/catalogue.ts';
export { watchFinished } from './watch-finished.ts';
