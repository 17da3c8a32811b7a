// The widget's view: a panel in a shadow root, driven by a headless client.
export type { EmitWidgetEvent, WidgetEvents, WidgetOptions } from './options.ts';
export { createPanel } from './panel.tsx';
