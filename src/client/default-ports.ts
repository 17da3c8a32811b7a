import type { ClientPorts, EnvironmentPort } from './ports.ts';
import { createIdbStorage } from './storage/idb-storage.ts';

/** Looked up by name: this layer is compiled without a DOM, and runs in workers and on servers too. */
function isVisible(): boolean {
  const page: unknown = Reflect.get(globalThis, 'document');
  return !(page instanceof EventTarget && Reflect.get(page, 'visibilityState') === 'hidden');
}

const environment: EnvironmentPort = {
  // Node's navigator has no `onLine`; only a clear "false" means that there is no network.
  isOnline: () => globalThis.navigator?.onLine !== false,
  isVisible,
  onChange(callback) {
    const stop = new AbortController();
    const listener = ({ type }: Event): void => {
      if (type === 'online' || type === 'offline') callback(type);
      else callback(isVisible() ? 'visible' : 'hidden');
    };
    // A page that comes back from the back/forward cache has lost its sockets without a word.
    for (const type of ['online', 'offline', 'visibilitychange', 'pageshow']) {
      // Node's global scope cannot be listened to.
      globalThis.addEventListener?.(type, listener, { signal: stop.signal });
    }
    return () => stop.abort();
  },
};

/** The outside world as the browser gives it. Nothing is touched before a port is used. */
export function createDefaultPorts(): ClientPorts {
  return {
    clock: {
      now: () => Date.now(),
      setTimer(callback, delayMs) {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
    },
    random: () => Math.random(),
    // Not `randomUUID`, which pages without encryption do not have.
    createId: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(''),
    fetch: (input, init) => fetch(input, init),
    // Undefined where there are no sockets; every attempt then fails as a refused handshake does.
    WebSocket: globalThis.WebSocket,
    storage: createIdbStorage(),
    environment,
  };
}
