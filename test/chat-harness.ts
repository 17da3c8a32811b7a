import {
  type ChatClient,
  type ChatClientOptions,
  type ClientPorts,
  createChatClient,
  type EnvironmentChange,
  type StoragePort,
  type TabStoragePort,
} from '../src/client/index.ts';
import type { FakeTab } from './fake-browser.ts';
import { FakeClock } from './fake-clock.ts';
import { FakePlatform, type FakePlatformOptions } from './fake-platform.ts';

/** Storage that a test can read. */
export class FakeStorage implements StoragePort {
  readonly values: Map<string, unknown> = new Map();
  writes = 0;

  async get(key: string): Promise<unknown> {
    return structuredClone(this.values.get(key));
  }
  async set(key: string, value: unknown): Promise<void> {
    this.writes += 1;
    this.values.set(key, structuredClone(value));
  }
  async delete(key: string): Promise<void> {
    this.values.delete(key);
  }
}

/** The storage of one tab, which a test can read. */
export class FakeTabStorage implements TabStoragePort {
  readonly values: Map<string, string> = new Map();

  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }
  removeItem(key: string): void {
    this.values.delete(key);
  }
}

/** A device whose network and page the test controls. */
export class FakeDevice {
  #isOnline = true;
  #isVisible = true;
  readonly listeners: Set<(change: EnvironmentChange) => void> = new Set();

  isOnline(): boolean {
    return this.#isOnline;
  }
  isVisible(): boolean {
    return this.#isVisible;
  }
  onChange(callback: (change: EnvironmentChange) => void): () => void {
    this.listeners.add(callback);
    return () => this.listeners.delete(callback);
  }
  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    for (const listener of this.listeners) listener(isOnline ? 'online' : 'offline');
  }
  /** Changes the network without an event of the browser. */
  setOnlineSilently(isOnline: boolean): void {
    this.#isOnline = isOnline;
  }
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.say(isVisible ? 'visible' : 'hidden');
  }
  say(change: EnvironmentChange): void {
    for (const listener of [...this.listeners]) listener(change);
  }
}

export interface ChatHarness {
  readonly chat: ChatClient;
  readonly platform: FakePlatform;
  readonly clock: FakeClock;
  readonly storage: FakeStorage;
  readonly tabStorage: FakeTabStorage;
  readonly device: FakeDevice;
  readonly ports: ClientPorts;
  /** Opens the next page of the same visitor: same storage, same platform, same clock. */
  reload(options?: Partial<ChatClientOptions>): ChatHarness;
  /** Returns the transcript in short: speakers and texts, drafts with their state. */
  lines(): readonly string[];
}

/** Creates a client and a platform in one process, with a stopped clock. */
export function createHarness(
  platformOptions: FakePlatformOptions = {},
  options: Partial<ChatClientOptions> = {},
  shared: Partial<Pick<ChatHarness, 'platform' | 'clock' | 'storage' | 'tabStorage'>> = {},
  tab: FakeTab | null = null,
): ChatHarness {
  const clock = shared.clock ?? new FakeClock();
  const platform = shared.platform ?? new FakePlatform({ now: () => clock.now(), ...platformOptions });
  const storage = shared.storage ?? new FakeStorage();
  const tabStorage = shared.tabStorage ?? new FakeTabStorage();
  const device = new FakeDevice();
  const ports: ClientPorts = {
    clock: tab?.clock(clock) ?? clock,
    storage,
    tabStorage: () => tabStorage,
    environment: device,
    nextPaint: null,
    random: () => 0.5,
    createId: () => platform.createId('draft-'),
    fetch: platform.fetch,
    WebSocket: tab?.webSocket(platform.WebSocket) ?? platform.WebSocket,
    tabs: tab,
  };
  const chat = createChatClient({ endpoint: 'https://chat.test', ports, ...options });
  return {
    chat,
    platform,
    clock,
    storage,
    tabStorage,
    device,
    ports,
    reload: (more = {}) =>
      createHarness({}, { ...options, ...more }, { platform, clock, storage, tabStorage }),
    lines: () =>
      chat.messages.value.map((entry) => {
        const item = entry.value;
        if (item.kind === 'system') return `* ${item.notice.code}`;
        if (item.kind === 'agent') return `${item.speaker.kind}: ${item.text}${item.isStreaming ? '…' : ''}`;
        return `user: ${item.text}${item.delivery.status === 'sent' ? '' : ` (${item.delivery.status})`}`;
      }),
  };
}

/** Runs promises, microtasks and sockets until `isTrue` returns true; fails after twenty seconds. */
export async function until(isTrue: () => boolean, what: string = String(isTrue)): Promise<void> {
  const givenUpAt = performance.now() + 20_000;
  while (!isTrue()) {
    if (performance.now() > givenUpAt) throw new Error(`This never became true: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Runs everything that is ready to run, for claims that something does not happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Harnesses of one test file, destroyed after each test. */
export function trackHarnesses(afterEach: (clean: () => void) => void): {
  readonly harness: typeof createHarness;
  /** Creates a harness whose chat has started and shows the greeting. */
  readonly greeted: (...parameters: Parameters<typeof createHarness>) => Promise<ChatHarness>;
  /** Opens the same visitor's next page after the end of this one. */
  readonly reload: (one: ChatHarness) => ChatHarness;
  readonly keep: (one: ChatHarness) => ChatHarness;
} {
  const made: ChatHarness[] = [];
  afterEach(() => {
    for (const { chat } of made.splice(0)) chat.destroy();
  });
  const keep = (one: ChatHarness): ChatHarness => {
    made.push(one);
    return one;
  };
  const harness: typeof createHarness = (...parameters) => keep(createHarness(...parameters));
  return {
    harness,
    keep,
    greeted: async (...parameters) => {
      const one = harness(...parameters);
      await one.chat.start();
      await until(() => one.lines().includes('agent: Hello'));
      return one;
    },
    reload: (one) => {
      one.chat.destroy();
      return keep(one.reload());
    },
  };
}

export const isOpen = ({ chat }: ChatHarness): boolean => chat.connection.value.status === 'open';

/** Returns the types of everything that the newest session received, without their prefix. */
export const sentTypes = ({ platform }: ChatHarness): string[] =>
  platform.session.received.map(({ type }) => type.replace('EVENT_TYPE_', ''));

/** Holds the responses of the proxy until they are released. */
export function holdAnswers({ platform }: ChatHarness): {
  readonly asked: string[];
  readonly release: () => void;
} {
  const answer = platform.answer.bind(platform);
  const asked: string[] = [];
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  platform.answer = async (path, body) => {
    asked.push(path);
    await released;
    return answer(path, body);
  };
  return { asked, release };
}
