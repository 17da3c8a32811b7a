/** Time, so that tests can hold it. */
export interface ClockPort {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once after `delayMs`; the returned function cancels it. */
  setTimer(callback: () => void, delayMs: number): () => void;
}

/** Small values that survive a reload. Every method may reject where storage is blocked. */
export interface StoragePort {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
}

/** What survives a reload in one tab. */
export interface TabStoragePort {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Whether the device has a network and the page is looked at. */
export interface EnvironmentPort {
  isOnline(): boolean;
  isVisible(): boolean;
  /** Calls back on every change of either, with `online` for another network too; the returned function stops it. */
  onChange(callback: (change: EnvironmentChange) => void): () => void;
}

/** `suspended`: the page goes, is frozen or put away; nothing of it runs until it is `resumed`, if it ever is. */
export type EnvironmentChange = 'online' | 'offline' | 'visible' | 'hidden' | 'suspended' | 'resumed';

/** What the pages of one origin have in common. */
export interface TabsPort {
  /**
   * Calls `hold` when the lock is free; the lock is held until the promise of `hold` is settled. `steal`
   * takes it from the current holder. Rejects when it was stolen, given up through `signal`, or there are no locks.
   */
  lock(
    name: string,
    options: { readonly steal?: boolean; readonly signal?: AbortSignal },
    hold: () => Promise<void>,
  ): Promise<void>;
  /** Receives messages of other pages on the channel of that name. Throws where there are no channels. */
  openChannel(name: string, hear: (message: unknown) => void): TabChannel;
}

export interface TabChannel {
  /** To all other pages; copied as `structuredClone` does. */
  postMessage(message: unknown): void;
  close(): void;
}

/** Calls back once, before the next paint, or soon where the page paints nothing for now. */
export type NextPaint = (callback: () => void) => void;

/** The outside world of a client. */
export interface ClientPorts {
  readonly clock: ClockPort;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Returns a unique id: at least 122 random bits. */
  readonly createId: () => string;
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly WebSocket: typeof WebSocket;
  readonly storage: StoragePort;
  /** Null where there are no tabs, as on servers. May throw where storage is blocked, and so may its methods. */
  readonly tabStorage: () => TabStoragePort | null;
  readonly environment: EnvironmentPort;
  /** Null where nothing is painted, as on servers. */
  readonly nextPaint: NextPaint | null;
  /** Null where pages cannot share a conversation: each then has its own socket. */
  readonly tabs: TabsPort | null;
}
