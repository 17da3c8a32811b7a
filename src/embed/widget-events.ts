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

/** Name of an event. */
export type WidgetEventName = keyof WidgetEvents;

/** A handler and the event it is for. `on` pairs every handler with the value of its name. */
type Listener = readonly [WidgetEventName, (value: never) => void];

/** Listeners by event. A handler that throws is reported to the page and stops nobody else. */
export class WidgetEmitter {
  readonly #listeners = new Set<Listener>();

  /** Adds a handler; the returned function takes it away. */
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void {
    const listener: Listener = [name, handler];
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  emit<Name extends WidgetEventName>(name: Name, value: WidgetEvents[Name]): void {
    for (const [own, handler] of [...this.#listeners]) {
      try {
        if (own === name) (handler as (value: WidgetEvents[Name]) => void)(value);
      } catch (error) {
        reportError(error);
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
