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

/** Whether the device has a network and the page is looked at. */
export interface EnvironmentPort {
  isOnline(): boolean;
  isVisible(): boolean;
  /** Calls back on every change of either; the returned function stops it. */
  onChange(callback: (change: 'online' | 'offline' | 'visible' | 'hidden') => void): () => void;
}

/** The outside world of a client. */
export interface ClientPorts {
  readonly clock: ClockPort;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** A name that nobody else has: at least 122 random bits. */
  readonly createId: () => string;
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly WebSocket: typeof WebSocket;
  readonly storage: StoragePort;
  readonly environment: EnvironmentPort;
}
