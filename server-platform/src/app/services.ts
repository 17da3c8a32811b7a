import { runShutdown, type ShutdownStep } from './shutdown.ts';

/** A part of the platform that runs until it is stopped. */
export interface Service<T> {
  /** Opens the service. */
  readonly start: () => T | Promise<T>;
  /** Completes "could not …" in the log when the service does not stop. */
  readonly stopping: string;
  readonly stop: (running: T) => Promise<unknown> | undefined;
  /** The time that `stop` may take; null: it limits itself. */
  readonly stopTimeoutMs: number | null;
}

/** Services that depend on those started before them. They are stopped in reverse order. */
export class Services {
  readonly #stops: ShutdownStep[] = [];
  readonly #onFailure: (what: string, error: unknown) => void;
  #stopped: Promise<void> | null = null;

  constructor(onFailure: (what: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Starts the next service. When it fails the caller stops the services that run already. */
  async start<T>({ start, stopping, stop, stopTimeoutMs }: Service<T>): Promise<T> {
    const running = await start();
    this.#stops.unshift({ what: stopping, timeoutMs: stopTimeoutMs, run: () => stop(running) });
    return running;
  }

  /**
   * Stops every service, also when the one before fails or exceeds its time. Failures are reported; the promise never
   * rejects. A second call returns the promise of the first.
   */
  stop(): Promise<void> {
    this.#stopped ??= runShutdown(this.#stops, this.#onFailure);
    return this.#stopped;
  }
}
