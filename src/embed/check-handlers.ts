import type { NatterWidget } from './create-widget.ts';
import { EVENT_NAMES } from './event-names.ts';

/** Throws a `TypeError` for an unknown event name, or a handler that is not a function. */
function checkHandler(method: 'on' | 'once', name: unknown, handler: unknown): void {
  if (!(EVENT_NAMES as readonly unknown[]).includes(name))
    throw new TypeError(`${method}: there is no event "${name}". Events: ${EVENT_NAMES.join(', ')}.`);
  if (typeof handler !== 'function')
    throw new TypeError(
      `${method}: takes a function after the name, ${method}("${name}", (value) => { … }).`,
    );
}

/**
 * Makes `on` and `once` throw for unknown events and for handlers that are not functions. Separate from `createWidget`,
 * because the event names would not fit into the script tag's loader; there, `doctor()` lists unknown names.
 */
export function checkHandlers(widget: NatterWidget): NatterWidget {
  const { on, once } = widget;
  const checked: Pick<NatterWidget, 'on' | 'once'> = {
    on(name, handler) {
      checkHandler('on', name, handler);
      return on(name, handler);
    },
    once(name, handler) {
      checkHandler('once', name, handler);
      return once(name, handler);
    },
  };
  return Object.assign(widget, checked);
}
