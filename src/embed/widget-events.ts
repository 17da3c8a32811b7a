import type { ConnectionStatus, FrameTrace, SessionStatus } from '../client/index.ts';
import type { WidgetEvents as PanelEvents } from '../widget/index.ts';

/** What a page can listen to, by name, with what its handler gets. */
export interface WidgetEvents extends PanelEvents {
  readonly connection: ConnectionStatus;
  readonly session: SessionStatus;
  /** One frame in either direction, without tokens; for inspectors. */
  readonly frame: FrameTrace;
}

/** Name of an event. */
export type WidgetEventName = keyof WidgetEvents;

/** Listeners by event. A handler that throws is reported to the page and stops nobody else. */
export class WidgetEmitter {
  readonly #handlers = new Map<WidgetEventName, Set<(value: never) => void>>();

  /** Adds a handler; the returned function takes it away. */
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void {
    const handlers = this.#handlers.get(name) ?? new Set();
    this.#handlers.set(name, handlers.add(handler));
    return () => {
      handlers.delete(handler);
    };
  }

  emit<Name extends WidgetEventName>(name: Name, value: WidgetEvents[Name]): void {
    for (const handler of [...(this.#handlers.get(name) ?? [])]) {
      try {
        // `on` pairs every handler with the value of its name.
        (handler as (value: WidgetEvents[Name]) => void)(value);
      } catch (error) {
        reportError(error);
      }
    }
  }

  clear(): void {
    this.#handlers.clear();
  }
}
