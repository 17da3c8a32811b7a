import { expect, test } from './fixtures.ts';
import { page as draw, serveCustomerSite } from './stack/customer-site.ts';

const MOUNTS = 100;
/** Until then the engine creates its one-time objects: code, shapes, caches. */
const WARM_UP = 20;
/** Per mount. One panel left in memory costs over a hundred times as much. */
const MAX_HEAP_BYTES_PER_MOUNT = 4_096;

/** The browser's own counters of objects in memory. */
const COUNTERS = ['documents', 'nodes', 'jsEventListeners'] as const;

/** Resources of a page that the widget could leave behind. */
interface Possessions {
  readonly listeners: readonly string[];
  readonly timers: number;
  readonly open: readonly string[];
  readonly globals: readonly string[];
  readonly handlers: readonly string[];
  readonly styleSheets: number;
  readonly elements: readonly string[];
  readonly locks: number;
}

/** Counts resources that scripts acquire and release, from the start of the page. Runs in the page. */
function keepAccounts(): void {
  const listeners = new Map<string, number>();
  const keys = new WeakMap<object, number>();
  let lastKey = 0;
  const keyOf = (thing: object): number => {
    const key = keys.get(thing) ?? lastKey + 1;
    lastKey = Math.max(lastKey, key);
    keys.set(thing, key);
    return key;
  };
  // Of targets that outlive the widget. Listeners on its own nodes, sockets and signals are removed with these, which
  // the browser's counters and the number of open sockets show.
  const isLasting = (target: EventTarget): boolean =>
    target instanceof Node
      ? target === document || target === document.documentElement
      : !(target instanceof WebSocket || target instanceof AbortSignal);
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const listenerKey = (target: EventTarget, type: string, listener: object, options: unknown): string => {
    const isCapture =
      typeof options === 'object' ? Reflect.get(options ?? {}, 'capture') === true : options === true;
    return `${target.constructor.name} ${keyOf(target)} ${type} ${keyOf(listener)} ${isCapture}`;
  };
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window;
    if (listener && isLasting(target)) {
      const key = listenerKey(target, type, listener, options);
      listeners.set(key, 1);
      if (typeof options === 'object' && options.signal) {
        addEventListener.call(options.signal, 'abort', () => listeners.delete(key));
      }
      if (typeof options === 'object' && options.once) {
        addEventListener.call(target, type, () => listeners.delete(key), { once: true });
      }
    }
    addEventListener.call(target, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? window;
    if (listener) listeners.delete(listenerKey(target, type, listener, options));
    removeEventListener.call(target, type, listener, options);
  };

  const timers = new Set<number>();
  for (const [set, clear, isRepeated] of [
    ['setTimeout', 'clearTimeout', false],
    ['setInterval', 'clearInterval', true],
    ['requestAnimationFrame', 'cancelAnimationFrame', false],
  ] as const) {
    const [start, stop] = [window[set] as (...given: unknown[]) => number, window[clear]];
    Reflect.set(window, set, (run: (...given: unknown[]) => void, ...rest: unknown[]) => {
      const id = start(
        (...given: unknown[]) => {
          if (!isRepeated) timers.delete(id);
          run(...given);
        },
        ...rest,
      );
      timers.add(id);
      return id;
    });
    Reflect.set(window, clear, (id: number) => {
      timers.delete(id);
      stop(id);
    });
  }

  // Resources that must be closed, disconnected or cancelled.
  const open = new Map<object, string>();
  for (const [name, ends] of [
    ['WebSocket', ['close']],
    ['BroadcastChannel', ['close']],
    ['MutationObserver', ['disconnect']],
    ['ResizeObserver', ['disconnect']],
    ['IntersectionObserver', ['disconnect']],
    ['PerformanceObserver', ['disconnect']],
    ['Worker', ['terminate']],
  ] as const) {
    const Original = Reflect.get(window, name) as new (...given: unknown[]) => object;
    for (const end of ends) {
      const method = Reflect.get(Original.prototype, end) as (...given: unknown[]) => unknown;
      Original.prototype[end] = function (this: object, ...given: unknown[]) {
        open.delete(this);
        return method.apply(this, given);
      };
    }
    Reflect.set(
      window,
      name,
      class extends Original {
        constructor(...given: unknown[]) {
          super(...given);
          open.set(this, name);
        }
      },
    );
  }

  const { open: openDatabase } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...given) {
    const request = openDatabase.apply(this, given);
    addEventListener.call(request, 'success', () => open.set(request.result, 'IDBDatabase'));
    return request;
  };
  const { close: closeDatabase } = IDBDatabase.prototype;
  IDBDatabase.prototype.close = function () {
    open.delete(this);
    closeDatabase.call(this);
  };

  const globals = new Set(Reflect.ownKeys(window));
  Reflect.set(
    window,
    'takeStock',
    async (): Promise<Possessions> => ({
      listeners: [...listeners.keys()],
      timers: timers.size,
      open: [...open.values()],
      globals: Reflect.ownKeys(window)
        .filter((key) => !globals.has(key) && key !== 'takeStock' && !/^\d+$/.test(String(key)))
        .map(String),
      handlers: [window, document, visualViewport ?? window].flatMap((target) => {
        const names: string[] = [];
        for (const name in target) if (/^on/.test(name) && Reflect.get(target, name)) names.push(name);
        return names;
      }),
      styleSheets: document.adoptedStyleSheets.length + document.styleSheets.length,
      elements: [...document.querySelectorAll('*')].map(({ localName }) => localName),
      locks: (await navigator.locks.query()).held?.length ?? 0,
    }),
  );
}

test(`${MOUNTS} mounts with conversations leave nothing behind`, async ({ page, stack }) => {
  // Each mount opens and closes a socket.
  test.slow();
  const site = await serveCustomerSite(stack, {
    render: (path) => (path === '/' ? { body: draw('<h1>A page</h1>') } : null),
  });
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.addInitScript(keepAccounts);
  await page.goto(site.urls.site);
  const takeStock = (): Promise<Possessions> => page.evaluate(() => Reflect.get(window, 'takeStock')());
  const session = await page.context().newCDPSession(page);
  const countNodes = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return await session.send('Memory.getDOMCounters');
  };

  /** Mounts, opens, waits for the open socket, changes every option, and destroys. */
  const mount = (times: number): Promise<number> =>
    page.evaluate(
      async ([src, count]) => {
        let connected = 0;
        for (let index = 0; index < count; index += 1) {
          const script = document.createElement('script');
          script.src = src;
          const loaded = new Promise((resolve) => {
            script.onload = resolve;
          });
          document.head.append(script);
          await loaded;
          script.remove();
          const natter = Reflect.get(window, 'Natter');
          const isOpen = new Promise<void>((resolve) => {
            natter.on('connection', ({ status }: { status: string }) => {
              if (status === 'open') resolve();
            });
          });
          await natter.open();
          await natter.showBubble('Hello');
          await natter.setTheme('dark');
          await isOpen;
          connected += 1;
          await natter.destroy();
        }
        return connected;
      },
      [`${site.urls.proxy}/natter.js`, times] as const,
    );

  const before = await takeStock();
  const nodesBefore = await countNodes();
  /** Returns the used bytes after the last socket has closed, and the database and idle callbacks have finished. */
  const weigh = async (): Promise<number> => {
    await expect.poll(takeStock).toEqual(before);
    await expect
      .poll(async () => {
        const now = await countNodes();
        return COUNTERS.filter((counter) => now[counter] > nodesBefore[counter]);
      })
      .toEqual([]);
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  expect(await mount(WARM_UP)).toBe(WARM_UP);
  const warmBytes = await weigh();
  expect(await mount(MOUNTS - WARM_UP)).toBe(MOUNTS - WARM_UP);
  const bytesPerMount = Math.round(((await weigh()) - warmBytes) / (MOUNTS - WARM_UP));
  console.log(`heap per mount: ${bytesPerMount} bytes`);
  expect(bytesPerMount).toBeLessThan(MAX_HEAP_BYTES_PER_MOUNT);
  expect(faults).toEqual([]);
  await site.close();
});
