import type { ClockPort, TabChannel, TabsPort } from '../src/client/index.ts';

interface Request {
  readonly tab: FakeTab;
  readonly hold: () => Promise<void>;
  readonly fail: (error: Error) => void;
  readonly done: () => void;
  readonly isStealing: boolean;
}

interface Lock {
  holder: Request | null;
  waiting: Request[];
}

const aborted = (): Error => new DOMException('The lock is gone.', 'AbortError');

/** One tab, which a test can freeze and crash. */
export class FakeTab implements TabsPort {
  readonly browser: FakeBrowser;
  readonly channels: Set<{ readonly name: string; readonly hear: (message: unknown) => void }> = new Set();
  isFrozen = false;
  #isDead = false;
  #asleep: (() => void)[] = [];

  constructor(browser: FakeBrowser) {
    this.browser = browser;
  }

  /** Runs a task of this tab, unless it is frozen or crashed. */
  run(task: () => void): void {
    if (this.#isDead) return;
    if (this.isFrozen) this.#asleep.push(task);
    else task();
  }

  /** Freezes the tab: it runs nothing, and events wait. */
  freeze(): void {
    this.isFrozen = true;
  }

  thaw(): void {
    this.isFrozen = false;
    for (const task of this.#asleep.splice(0)) this.run(task);
  }

  /** Crashes the tab: its locks are released, without any message. */
  crash(): void {
    this.#isDead = true;
    this.channels.clear();
    this.browser.forget(this);
  }

  /** Returns a clock whose timers are frozen with the tab. */
  clock(clock: ClockPort): ClockPort {
    return {
      now: () => clock.now(),
      setTimer: (callback, delayMs) => clock.setTimer(() => this.run(callback), delayMs),
    };
  }

  /** Returns a socket class whose events wait while the tab is frozen. */
  webSocket(Socket: typeof WebSocket): typeof WebSocket {
    const run = (task: () => void): void => this.run(task);
    return class extends Socket {
      override addEventListener(type: string, listener: unknown): void {
        if (typeof listener === 'function')
          super.addEventListener(type, (event) => run(() => listener(event)));
      }
    };
  }

  lock(
    name: string,
    options: { readonly steal?: boolean; readonly signal?: AbortSignal },
    hold: () => Promise<void>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const request: Request = {
        tab: this,
        hold,
        fail: (error) => this.run(() => reject(error)),
        done: () => this.run(resolve),
        isStealing: options.steal ?? false,
      };
      options.signal?.addEventListener('abort', () => this.browser.withdraw(name, request));
      this.browser.request(name, request);
    });
  }

  openChannel(name: string, hear: (message: unknown) => void): TabChannel {
    const end = { name, hear };
    this.channels.add(end);
    return {
      postMessage: (message) => this.run(() => this.browser.spread(end, message)),
      close: () => this.channels.delete(end),
    };
  }
}

/** Locks and channels of one browser, as the platform defines them. */
export class FakeBrowser {
  readonly #tabs = new Set<FakeTab>();
  readonly #locks = new Map<string, Lock>();
  /** All messages over channels, as text. */
  readonly messages: string[] = [];

  openTab(): FakeTab {
    return this.adopt(new FakeTab(this));
  }

  /** Adds a tab of another class to this browser. */
  adopt(tab: FakeTab): FakeTab {
    this.#tabs.add(tab);
    return tab;
  }

  request(name: string, request: Request): void {
    const lock = this.#locks.get(name) ?? { holder: null, waiting: [] };
    this.#locks.set(name, lock);
    if (request.isStealing) {
      lock.holder?.fail(aborted());
      lock.holder = null;
      lock.waiting.unshift(request);
    } else lock.waiting.push(request);
    queueMicrotask(() => this.#grant(lock));
  }

  withdraw(name: string, request: Request): void {
    const lock = this.#locks.get(name);
    if (!lock?.waiting.includes(request)) return;
    lock.waiting = lock.waiting.filter((other) => other !== request);
    request.fail(aborted());
  }

  forget(tab: FakeTab): void {
    this.#tabs.delete(tab);
    for (const lock of this.#locks.values()) {
      lock.waiting = lock.waiting.filter((request) => request.tab !== tab);
      if (lock.holder?.tab === tab) lock.holder = null;
      queueMicrotask(() => this.#grant(lock));
    }
  }

  /** Copies a message to all other ends of the channel, each in a separate task. */
  spread(from: object & { readonly name: string }, message: unknown): void {
    this.messages.push(JSON.stringify(message));
    for (const tab of this.#tabs) {
      for (const end of tab.channels) {
        if (end === from || end.name !== from.name) continue;
        const copy: unknown = structuredClone(message);
        setTimeout(() => tab.run(() => tab.channels.has(end) && end.hear(copy)), 0);
      }
    }
  }

  #grant(lock: Lock): void {
    const request = lock.waiting[0];
    if (lock.holder || !request) return;
    lock.waiting.shift();
    lock.holder = request;
    request.tab.run(() => {
      void request.hold().finally(() => {
        if (lock.holder !== request) return;
        lock.holder = null;
        request.done();
        this.#grant(lock);
      });
    });
  }
}
