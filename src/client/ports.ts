/** A clock that tests can stop. */
export interface ClockPort {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once after `delayMs`; the returned function cancels it. */
  setTimer(callback: () => void, delayMs: number): () => void;
}

/** Small values that survive a reload. Every method may reject if storage is blocked. */
export interface StoragePort {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
}

/** Storage that survives a reload in one tab. */
export interface TabStoragePort {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Whether the device is online and the page is visible. */
export interface EnvironmentPort {
  isOnline(): boolean;
  isVisible(): boolean;
  /**
   * Calls back on every change of either, with `online` also for a change of network. Returns a function that
   * unsubscribes.
   */
  onChange(callback: (change: EnvironmentChange) => void): () => void;
}

/** `suspended`: the page is unloaded, frozen or cached; its code does not run until it is `resumed`, if ever. */
export type EnvironmentChange = 'online' | 'offline' | 'visible' | 'hidden' | 'suspended' | 'resumed';

/** Interfaces shared by the pages of one origin. */
export interface TabsPort {
  /**
   * Calls `hold` when the lock is free; the lock is held until the promise of `hold` settles. `steal` takes it from the
   * current holder. Rejects when it was stolen or aborted through `signal`, or when there are no locks.
   */
  lock(
    name: string,
    options: { readonly steal?: boolean; readonly signal?: AbortSignal },
    hold: () => Promise<void>,
  ): Promise<void>;
  /** Receives messages of other pages on the channel of that name. Throws if there are no channels. */
  openChannel(name: string, onMessage: (message: unknown) => void): TabChannel;
}

export interface TabChannel {
  /** Sends to all other pages; copies as `structuredClone` does. */
  postMessage(message: unknown): void;
  close(): void;
}

/** Calls back once, before the next paint, or soon if the page currently paints nothing. */
export type NextPaint = (callback: () => void) => void;

/** External interfaces of a client. */
export interface ClientPorts {
  readonly clock: ClockPort;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Returns a unique id: at least 122 random bits. */
  readonly createId: () => string;
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly WebSocket: typeof WebSocket;
  readonly storage: StoragePort;
  /** Null without tabs, as on servers. May throw if storage is blocked, and so may its methods. */
  readonly tabStorage: () => TabStoragePort | null;
  readonly environment: EnvironmentPort;
  /** Null without painting, as on servers. */
  readonly nextPaint: NextPaint | null;
  /** Null if pages cannot share a conversation; each then has its own socket. */
  readonly tabs: TabsPort | null;
}
