import {
  type Chat,
  createPageContext,
  type PageContext,
  type PageUser,
  type WidgetContextProvider,
} from '../../client/index.ts';
import type { WidgetEmitter } from '../widget-events.ts';

/** Commands with which a page describes its visitor. `identify(null)` means that the visitor has logged out. */
export interface WidgetContext extends Omit<PageContext, 'identify'> {
  identify(user: PageUser | null): Promise<void>;
}

/**
 * Gives `page` the metadata about its visitor, for one widget, in place of the callbacks that it has. An event reports the
 * outcome of signed metadata.
 */
export function createContext(
  chat: Chat,
  emitter: WidgetEmitter,
  page: WidgetContextProvider,
): WidgetContext {
  const context = createPageContext({
    chat,
    clock: {
      now: Date.now,
      setTimer(callback, delayMs) {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
    },
    onResult: (result) => emitter.emit('context', result),
    added: () => page.added?.map((read) => read()) ?? [],
  });
  const own: WidgetContext = {
    ...context,
    identify: (user) => (user === null ? chat.logout() : context.identify(user)),
  };
  return Object.assign(page, own);
}
