import type { WidgetEventName } from './widget-events.ts';

// A record, so that the compiler reports a missing event.
const NAMES: Readonly<Record<WidgetEventName, true>> = {
  ready: true,
  open: true,
  close: true,
  send: true,
  message: true,
  unread: true,
  end: true,
  error: true,
  connection: true,
  session: true,
  context: true,
  frame: true,
};

/** Names of all events of a widget, for adapters that list them. */
export const EVENT_NAMES: readonly WidgetEventName[] = Object.keys(NAMES) as WidgetEventName[];
