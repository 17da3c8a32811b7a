export type { ConnectionStatus, FrameTrace, SendOutcome, SessionStatus } from '../client/index.ts';
export type { NatterWidget } from './create-widget.ts';
export { mount } from './mount.ts';
export type { WidgetEventName, WidgetEvents } from './widget-events.ts';
export type { WidgetOptions } from './widget-options.ts';
