import { type Chat, createPageContext, type PageContext, type PageUser } from '../client/index.ts';
import type { WidgetEmitter } from './widget-events.ts';

/** A page's words about its visitor, for one widget; what becomes of signed ones is told as an event. */
export function createContext(
  chat: Chat,
  emitter: WidgetEmitter,
): Omit<PageContext, 'identify'> & { identify(user: PageUser | null): Promise<void> } {
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
  });
  return { ...context, identify: (user) => (user === null ? chat.logout() : context.identify(user)) };
}
