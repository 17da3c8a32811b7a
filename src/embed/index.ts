// The widget on a page: `mount`, the custom element, launcher and commands.
export type {
  ConnectionStatus,
  ContextHandler,
  ContextResult,
  FrameTrace,
  PageFacts,
  PageUser,
  SendOutcome,
  SessionStatus,
} from '../client/index.ts';
export type { ProactiveRule, WidgetChanges, WidgetOptions } from '../widget/index.ts';
export type { NatterChatAttributes } from './attributes.ts';
export { type ComponentWidget, createComponentWidget, writeOptions } from './component-widget.ts';
export type { NatterWidget } from './create-widget.ts';
export type { DoctorFinding, DoctorReport } from './doctor/doctor.ts';
export type { NatterChatElement } from './element.ts';
export { EVENT_NAMES } from './event-names.ts';
export type { LauncherAnimation } from './launcher/animate-launcher.ts';
export type { BubbleOptions } from './launcher/bubble.ts';
export type { ScriptCall, ScriptCalls, ScriptWidget } from './loader/loader.ts';
export { mount } from './mount.ts';
export { OPTION_NAMES } from './option-names.ts';
export type { WidgetErrorCode, WidgetEventName, WidgetEvents } from './widget-events.ts';
