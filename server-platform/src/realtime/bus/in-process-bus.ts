import type { Bus, BusMessage } from './bus.ts';

/** A bus for one process: delivers at once, in order, and loses nothing. */
export function createInProcessBus(): Bus {
  const listeners = new Map<string, Set<(message: BusMessage) => void>>();
  const publish = (sessionId: string, message: BusMessage): void => {
    // Copied, because a listener may unsubscribe while it is called.
    for (const listener of [...(listeners.get(sessionId) ?? [])]) listener(message);
  };
  const subscribe: Bus['subscribe'] = (sessionId, listener) => {
    const own = listeners.get(sessionId) ?? new Set();
    listeners.set(sessionId, own);
    own.add(listener);
    return () => {
      own.delete(listener);
      if (own.size === 0 && listeners.get(sessionId) === own) listeners.delete(sessionId);
    };
  };
  return {
    publish,
    deliverLocal: publish,
    subscribe,
    subscribeLocal: subscribe,
    follow: () => () => {},
    async close() {
      listeners.clear();
    },
  };
}
