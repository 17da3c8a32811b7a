import type {
  ClientPorts,
  EnvironmentChange,
  EnvironmentPort,
  NextPaint,
  TabStoragePort,
  TabsPort,
} from './ports.ts';
import { createIdbStorage } from './storage/idb-storage.ts';

/** Accessed by name, because this layer is compiled without a DOM and also runs in workers and on servers. */
function isVisible(): boolean {
  const { document: page } = globalThis as { readonly document?: object };
  // From the prototype, because elements can shadow properties of `document` by their names.
  return !page || Reflect.get(Object.getPrototypeOf(page), 'visibilityState', page) !== 'hidden';
}

/**
 * Page events that change the environment. `suspended`: the page is in the back/forward cache or frozen, so its sockets
 * close without an event, and it would never release its lock.
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
  // Node's navigator has no `onLine`; only an explicit `false` means that there is no network.
  isOnline: () => globalThis.navigator?.onLine !== false,
  isVisible,
  onChange(callback) {
    const stop = new AbortController();
    // Some browsers report a change of network, such as from Wi-Fi to mobile, without going offline.
    const network = (globalThis.navigator as { readonly connection?: EventTarget } | undefined)?.connection;
    for (const [type, change] of Object.entries(CHANGES)) {
      const listener = (): void => callback(change ?? (isVisible() ? 'visible' : 'hidden'));
      // Node's global scope has no events.
      const source: Partial<EventTarget> | undefined = type === 'change' ? network : globalThis;
      source?.addEventListener?.(type, listener, { signal: stop.signal, capture: true });
    }
    return () => stop.abort();
  },
};

/** Work that waits for a paint continues after this time in a hidden page or an invisible frame. */
const MAX_PAINT_MS = 100;

function nextPaint(callback: () => void): void {
  let isDue = true;
  const run = (): void => {
    clearTimeout(timer);
    if (isDue) callback();
    isDue = false;
  };
  const timer = setTimeout(run, MAX_PAINT_MS);
  const { requestAnimationFrame } = globalThis as { readonly requestAnimationFrame?: NextPaint };
  requestAnimationFrame?.(run);
}

/** Pages of one browser only: clients in one server process must not share anything. */
function sharedTabs(): TabsPort | null {
  const locks = globalThis.navigator?.locks;
  if (!locks || !globalThis.BroadcastChannel || !('document' in globalThis)) return null;
  return {
    lock: (name, options, hold) => locks.request(name, options, hold),
    openChannel(name, onMessage) {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }) => onMessage(data);
      return channel;
    },
  };
}

/** Some servers have a `sessionStorage`, which all their visitors would share. */
const tabStorage = (): TabStoragePort | null =>
  'document' in globalThis
    ? (globalThis as unknown as { readonly sessionStorage: TabStoragePort }).sessionStorage
    : null;

/** Returns a browser's ports. Accesses no browser interface before a port is used. */
export function createDefaultPorts(): ClientPorts {
  let latestMs = 0;
  let setBackMs = 0;
  return {
    clock: {
      now() {
        // A clock that is set back would delay every deadline by the same amount.
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
    // Not `randomUUID`, which unencrypted pages lack.
    createId: () => crypto.getRandomValues(new Uint32Array(4)).join('-'),
    fetch: (input, init) => fetch(input, init),
    // Undefined without sockets; every attempt then fails like a refused handshake.
    WebSocket: globalThis.WebSocket,
    storage: createIdbStorage(),
    tabStorage,
    environment,
    nextPaint: 'document' in globalThis ? nextPaint : null,
    tabs: sharedTabs(),
  };
}
