import type { ConnectionStatus, ContextResult, FrameTrace, SessionStatus } from '../client/index.ts';
import type { WidgetEvents as PanelEvents } from '../widget/index.ts';

/** What a page can listen to, by name, with what its handler gets. */
export interface WidgetEvents extends PanelEvents {
  readonly connection: ConnectionStatus;
  readonly session: SessionStatus;
  /** What became of one run of the handler that `onContextRequired` was given. */
  readonly context: ContextResult;
  /** One frame in either direction, without tokens; for inspectors. */
  readonly frame: FrameTrace;
}

export type { WidgetErrorCode } from '../widget/index.ts';

/** Name of an event. */
export type WidgetEventName = keyof WidgetEvents;

/** Tells a widget's listeners what happens: on the widget's own element, so that whoever has that can listen there as well. */
export interface WidgetEmitter {
  /** Adds a handler; the returned function removes it. One that throws is reported to the page and stops no other. */
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** The same for the next event of that name only. */
  once<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** Dispatches a `CustomEvent` of that name, with the value as its `detail`. It does not bubble. */
  emit<Name extends WidgetEventName>(name: Name, value: WidgetEvents[Name]): void;
  /** Takes away every handler that `on` and `once` added. */
  clear(): void;
  /** Aborted by `clear`. */
  readonly signal: AbortSignal;
  /** Names that handlers were added for, known or not. */
  readonly names: ReadonlySet<string>;
}

export function createEmitter(target: EventTarget): WidgetEmitter {
  const life = new AbortController();
  const names = new Set<string>();
  const add =
    (once: boolean): WidgetEmitter['on'] =>
    (name, handler) => {
      names.add(name);
      // A page's own event of that name has no detail.
      const listener = (event: Event): void => handler((event as CustomEvent).detail ?? undefined);
      target.addEventListener(name, listener, { signal: life.signal, once });
      return () => target.removeEventListener(name, listener);
    };
  return {
    on: add(false),
    once: add(true),
    emit: (name, detail) => void target.dispatchEvent(new CustomEvent(name, { detail })),
    clear: () => life.abort(),
    signal: life.signal,
    names,
  };
}
