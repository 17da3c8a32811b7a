import type { ConnectionStatus, ContextResult, FrameTrace, SessionStatus } from '../client/index.ts';
import type { WidgetEvents as PanelEvents } from '../widget/index.ts';

/** The events of a widget by name, each with the value that its handlers get. */
export interface WidgetEvents extends PanelEvents {
  readonly connection: ConnectionStatus;
  readonly session: SessionStatus;
  /** Outcome of one run of the handler of `onContextRequired`. */
  readonly context: ContextResult;
  /** One frame in either direction, without tokens; for inspectors. */
  readonly frame: FrameTrace;
}

export type { WidgetErrorCode } from '../widget/index.ts';

/** Name of an event. */
export type WidgetEventName = keyof WidgetEvents;

/** Notifies the listeners of a widget and of its element. */
export interface WidgetEmitter {
  /**
   * Adds a handler; the returned function removes it. An error in a handler is reported to the page and stops no other
   * handler.
   */
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** Calls the handler for the next event of that name only. */
  once<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** Dispatches a `CustomEvent` of that name, with the value as its `detail`. It does not bubble. */
  emit<Name extends WidgetEventName>(name: Name, value: WidgetEvents[Name]): void;
  /** Removes every handler that `on` and `once` added. */
  clear(): void;
  /** Aborted by `clear`. */
  readonly signal: AbortSignal;
  /** Names of all events that handlers were added for, including unknown ones. */
  readonly names: ReadonlySet<string>;
}

export function createEmitter(target: EventTarget): WidgetEmitter {
  const lifetime = new AbortController();
  const names = new Set<string>();
  // No node, because `document.open()` removes the listeners of those.
  const handlers = new EventTarget();
  const add =
    (once: boolean): WidgetEmitter['on'] =>
    (name, handler) => {
      names.add(name);
      // A missing detail is null.
      const listener = (event: Event): void => handler((event as CustomEvent).detail ?? undefined);
      handlers.addEventListener(name, listener, { signal: lifetime.signal, once });
      return () => handlers.removeEventListener(name, listener);
    };
  return {
    on: add(false),
    once: add(true),
    emit: (name, detail) => {
      for (const each of [handlers, target]) each.dispatchEvent(new CustomEvent(name, { detail }));
    },
    clear: () => lifetime.abort(new Error('The chat was destroyed.')),
    signal: lifetime.signal,
    names,
  };
}
