import type { ClientPorts, EnvironmentChange, EnvironmentPort, TabsPort } from './ports.ts';
import { createIdbStorage } from './storage/idb-storage.ts';

/** Looked up by name: this layer is compiled without a DOM, and runs in workers and on servers too. */
function isVisible(): boolean {
  const { document: page } = globalThis as { readonly document?: object };
  // From the prototype, because elements shadow the properties of `document` by their names.
  return !page || Reflect.get(Object.getPrototypeOf(page), 'visibilityState', page) !== 'hidden';
}

/**
 * What events of the page mean. Into the back/forward cache, or asleep: sockets die there without a word, and a lock
 * would never be given back.
 */
const CHANGES: Readonly<Record<string, EnvironmentChange | null>> = {
  online: 'online',
  change: 'online',
  offline: 'offline',
  visibilitychange: null,
  pagehide: 'suspended',
  freeze: 'suspended',
  pageshow: 'resumed',
  resume: 'resumed',
};

const environment: EnvironmentPort = {
  // Node's navigator has no `onLine`; only a clear "false" means that there is no network.
  isOnline: () => globalThis.navigator?.onLine !== false,
  isVisible,
  onChange(callback) {
    const stop = new AbortController();
    // Some browsers tell of another network without a moment of none between, as from Wi-Fi to mobile.
    const network = (globalThis.navigator as { readonly connection?: EventTarget } | undefined)?.connection;
    for (const [type, change] of Object.entries(CHANGES)) {
      const listener = (): void => callback(change ?? (isVisible() ? 'visible' : 'hidden'));
      // Node's global scope cannot be listened to.
      const source: Partial<EventTarget> | undefined = type === 'change' ? network : globalThis;
      source?.addEventListener?.(type, listener, { signal: stop.signal, capture: true });
    }
    return () => stop.abort();
  },
};

/** Pages of one browser only: clients in one process of a server have nothing in common. */
function sharedTabs(): TabsPort | null {
  const locks = globalThis.navigator?.locks;
  if (!locks || !globalThis.BroadcastChannel || !('document' in globalThis)) return null;
  return {
    lock: (name, options, hold) => locks.request(name, options, hold),
    openChannel(name, hear) {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }) => hear(data);
      return channel;
    },
  };
}

/** The outside world as the browser gives it. Nothing is touched before a port is used. */
export function createDefaultPorts(): ClientPorts {
  let latestMs = 0;
  let setBackMs = 0;
  return {
    clock: {
      now() {
        // A clock that is set back would put every deadline off by as much.
        const wallMs = Date.now();
        setBackMs = Math.max(setBackMs, latestMs - wallMs);
        latestMs = wallMs + setBackMs;
        return latestMs;
      },
      setTimer(callback, delayMs) {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
    },
    random: () => Math.random(),
    // Not `randomUUID`, which pages without encryption do not have.
    createId: () => crypto.getRandomValues(new Uint32Array(4)).join('-'),
    fetch: (input, init) => fetch(input, init),
    // Undefined where there are no sockets; every attempt then fails as a refused handshake does.
    WebSocket: globalThis.WebSocket,
    storage: createIdbStorage(),
    environment,
    tabs: sharedTabs(),
  };
}
