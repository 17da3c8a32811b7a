import type { ClientPorts, EnvironmentPort } from './ports.ts';
import { createIdbStorage } from './storage/idb-storage.ts';

/** `document`, where there is one: this layer is compiled without a DOM, and runs in workers and on servers too. */
function findDocument(): EventTarget | null {
  const found: unknown = Reflect.get(globalThis, 'document');
  return found instanceof EventTarget ? found : null;
}

function browserEnvironment(): EnvironmentPort {
  const page = findDocument();
  const isVisible = (): boolean => page === null || Reflect.get(page, 'visibilityState') !== 'hidden';
  return {
    // Node's navigator has no `onLine`; only a clear "false" means that there is no network.
    isOnline: () => typeof navigator === 'undefined' || navigator.onLine !== false,
    isVisible,
    onChange: (callback) => {
      const onOnline = (): void => callback('online');
      const onOffline = (): void => callback('offline');
      const onVisibility = (): void => callback(isVisible() ? 'visible' : 'hidden');
      // A page that comes back from the back/forward cache has lost its sockets without a word.
      const onShow = (event: Event): void => {
        if (Reflect.get(event, 'persisted') === true) callback('visible');
      };
      const events: readonly (readonly [EventTarget | null, string, (event: Event) => void])[] = [
        [windowTarget(), 'online', onOnline],
        [windowTarget(), 'offline', onOffline],
        [windowTarget(), 'pageshow', onShow],
        [page, 'visibilitychange', onVisibility],
      ];
      for (const [target, type, listener] of events) target?.addEventListener(type, listener);
      return () => {
        for (const [target, type, listener] of events) target?.removeEventListener(type, listener);
      };
    },
  };
}

/** The global scope where it can be listened to; Node's cannot. */
function windowTarget(): EventTarget | null {
  const scope: unknown = globalThis;
  return typeof EventTarget !== 'undefined' && scope instanceof EventTarget ? scope : null;
}

/** A random UUID, also on insecure pages, where `randomUUID` is missing. */
function createId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Version 4, variant 1 (RFC 9562).
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The outside world as the browser gives it. Nothing is touched before a port is used. */
export function createDefaultPorts(): ClientPorts {
  return {
    clock: {
      now: () => Date.now(),
      setTimer: (callback, delayMs) => {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
    },
    random: () => Math.random(),
    createId,
    fetch: (input, init) => fetch(input, init),
    // Undefined where there are no sockets; every attempt then fails as a refused handshake does.
    WebSocket: globalThis.WebSocket,
    storage: createIdbStorage(),
    environment: browserEnvironment(),
  };
}
